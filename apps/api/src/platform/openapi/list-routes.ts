import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import 'reflect-metadata';
import { requestSchemas, type RequestSchemas } from '../http/request-parts.ts';
import { routeDescription, type RouteDescription } from '../http/describe.ts';

/** One route as its controller declares it; `path` in OpenAPI's form (`/v1/sessions/{id}`). */
export interface DeclaredRoute {
  method: string;
  path: string;
  operationId: string;
  tag: string;
  request: RequestSchemas;
  description: RouteDescription | undefined;
}

type ModuleLike = Type | DynamicModule;

/** Every route of a module and of what it imports, in order of declaration. */
export function listRoutes(root: ModuleLike): DeclaredRoute[] {
  return controllersOf(root, new Set()).flatMap(routesOf);
}

function controllersOf(module: ModuleLike, seen: Set<unknown>): Type[] {
  const type = 'module' in module ? module.module : module;
  if (seen.has(type)) return [];
  seen.add(type);
  const extra = 'module' in module ? module : undefined;
  const imports = [...metadata<ModuleLike>('imports', type), ...((extra?.imports ?? []) as ModuleLike[])];
  const controllers = [...metadata<Type>('controllers', type), ...(extra?.controllers ?? [])];
  return [...imports.flatMap((imported) => controllersOf(imported, seen)), ...controllers];
}

function metadata<T>(key: string, type: object): T[] {
  return (Reflect.getMetadata(key, type) as T[] | undefined) ?? [];
}

function routesOf(controller: Type): DeclaredRoute[] {
  const prototype = controller.prototype as Record<string, unknown>;
  const base = String(Reflect.getMetadata('path', controller));
  const tag = controller.name.replace(/Controller$/, '').toLowerCase();
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name] as object;
    const method = typeof handler === 'function' ? Reflect.getMetadata('method', handler) : undefined;
    if (method === undefined) return [];
    return [
      {
        method: String(RequestMethod[method as number]).toLowerCase(),
        path: openApiPath(base, String(Reflect.getMetadata('path', handler))),
        operationId: `${tag}.${name}`,
        tag,
        request: requestSchemas(prototype, name),
        description: routeDescription(prototype, name),
      },
    ];
  });
}

function openApiPath(base: string, path: string): string {
  const joined = [base, path].flatMap((part) => part.split('/')).filter((part) => part !== '');
  return `/${joined.join('/').replaceAll(/:([A-Za-z]+)/g, '{$1}')}`;
}
