// Who may import whom. Rooms are divided by where their code may run: PURE rooms load inside the Temporal workflow
// sandbox and reach no Node builtin. The rules hold transitively: a room answers for everything it reaches.
// The imports of types count too. Tests are free to import what they test with; only they may import core/testing.
// Circles are oxlint's (import/no-cycle), which can tell types from values.
const { builtinModules } = require('node:module');
const { Visitor } = require('@swc/core/Visitor.js');
require('./infra/boundaries/search-once.cjs');

// swc parses `using` but its visitor gives up there: it declares variables like const does.
const { visitStatement } = Visitor.prototype;
Visitor.prototype.visitStatement = function (statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

const core = (room) => `^libs/core/src/${room}/`;
const worker = (room) => `^apps/worker/src/${room}/`;
const domain = core('domain');
const protocol = core('protocol');
const postgres = core('postgres');
const providers = core('providers');
const config = core('config');
const images = core('images');
const testing = core('testing');
const kit = '^libs/tools/src/kit/';
const world = '^libs/tools/src/world/';
// The world without what hides a program's environment, which every program with keys does first.
const machine = `${world}(?!secret-environment\\.ts$|processes/child-environment\\.ts$)`;
const schema = '^libs/tools/src/([^/]+)/schema\\.ts$';
const catalog = '^libs/tools/src/catalog\\.ts$';
// Bodies of tools, and what lists them; the rest of a tool's folder is PURE.
const bodies = '^libs/tools/src/([^/]+/(execute|orchestrate)|activity|workflow)\\.ts$';
const anyTool = '^libs/tools/src/';
const contract = worker('contract');
const projection = worker('projection');
const infra = '^infra/';
const builtins = `^(node:)?(${builtinModules.filter((name) => !name.startsWith('_')).join('|')})$`;

/** One room: what it may reach of ours, which packages it may name, whether it must load in the workflow sandbox. */
const rooms = [
  { name: 'core-domain', path: domain, reaches: [domain], packages: ['zod'], pure: true },
  {
    name: 'core-protocol',
    path: protocol,
    reaches: [protocol, domain],
    packages: ['zod', '@temporalio/workflow', '@temporalio/common'],
    pure: true,
  },
  {
    name: 'core-providers',
    path: '^libs/core/src/providers/(?!scripted/main\\.ts$)',
    reaches: [providers, domain],
    notPackages: ['pg', 'kysely', '@temporalio', '@nestjs'],
  },
  {
    // A process of its own, so it reads its own configuration.
    name: 'core-scripted-process',
    path: '^libs/core/src/providers/scripted/main\\.ts$',
    reaches: [providers, domain, config],
    notPackages: ['pg', 'kysely', '@temporalio', '@nestjs'],
  },
  {
    name: 'core-postgres',
    path: postgres,
    reaches: [postgres, domain],
    notPackages: ['openai', '@temporalio', '@nestjs', 'fastify'],
  },
  { name: 'core-images', path: images, reaches: [images, domain], packages: ['sharp'] },
  { name: 'core-config', path: config, reaches: [config], packages: ['zod', 'yaml'] },
  { name: 'core-testing', path: testing, reaches: ['^libs/core/src/'] },
  { name: 'tools-kit', path: kit, reaches: [kit, domain], packages: ['zod'], pure: true },
  {
    name: 'tools-schema',
    path: schema,
    reaches: [kit, domain],
    notReaches: [bodies],
    sameFolder: true,
    packages: ['zod'],
    pure: true,
  },
  {
    name: 'tools-catalog',
    path: catalog,
    reaches: [anyTool, domain],
    notReaches: [bodies, world],
    packages: ['zod'],
    pure: true,
  },
  {
    name: 'tools-world',
    path: world,
    reaches: [world, kit, domain, images],
    notPackages: ['pg', 'kysely', 'openai', '@temporalio', '@nestjs'],
  },
  {
    name: 'tools-execute',
    path: '^libs/tools/src/([^/]+)/execute\\.ts$',
    reaches: [kit, domain],
    sameFolder: true,
    notPackages: ['pg', 'kysely', 'openai', '@temporalio', '@nestjs'],
  },
  {
    name: 'tools-activity',
    path: '^libs/tools/src/activity\\.ts$',
    reaches: [anyTool, domain, images],
    notPackages: ['@temporalio'],
  },
  {
    name: 'tools-orchestrate',
    path: '^libs/tools/src/([^/]+)/orchestrate\\.ts$',
    reaches: [kit, domain, protocol],
    sameFolder: true,
    packages: ['zod', '@temporalio/workflow', '@temporalio/common'],
    pure: true,
  },
  {
    name: 'tools-workflow',
    path: '^libs/tools/src/workflow\\.ts$',
    reaches: [anyTool, domain, protocol],
    notReaches: [world, '/execute\\.ts$', '^libs/tools/src/activity\\.ts$'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    pure: true,
  },
  {
    name: 'worker-contract',
    path: contract,
    reaches: [contract, domain, protocol, kit],
    packages: ['@temporalio/common'],
    pure: true,
  },
  {
    name: 'worker-workflows',
    path: worker('workflows'),
    reaches: [worker('workflows'), contract, domain, protocol, anyTool],
    notReaches: [world, '/execute\\.ts$', '^libs/tools/src/activity\\.ts$'],
    packages: ['@temporalio/workflow', '@temporalio/common'],
    pure: true,
  },
  {
    name: 'worker-activities',
    path: worker('(activities|plugins)'),
    reaches: [
      worker('(activities|plugins)'),
      contract,
      domain,
      protocol,
      providers,
      postgres,
      images,
      projection,
      anyTool,
    ],
    notPackages: ['@temporalio/workflow', '@nestjs'],
  },
  {
    name: 'worker-projection',
    path: projection,
    // The contract names the claims and commits it works on; being PURE, it brings types of tools/kit and no tool.
    reaches: [projection, contract, domain, protocol, postgres, kit],
    notPackages: ['openai', '@temporalio/workflow', '@temporalio/worker', '@nestjs'],
  },
  {
    name: 'api',
    path: '^apps/api/',
    // The catalogue is PURE: it says how a call of a tool is shown.
    reaches: ['^apps/api/', protocol, domain, postgres, config, images, anyTool],
    notReaches: [bodies, machine],
    notPackages: ['openai', '@temporalio/worker'],
  },
  {
    // Speaks HTTP; only `log` and `doctor` look behind the API.
    name: 'cli',
    path: '^apps/cli/',
    reaches: ['^apps/cli/', protocol, domain, postgres, config, projection, contract, anyTool],
    notReaches: [bodies, world],
    notPackages: ['openai', '@temporalio/worker', '@nestjs'],
  },
  { name: 'infra', path: infra, reaches: [infra, config, postgres, domain], notPackages: ['openai', '@nestjs'] },
];

const packagePath = (name) => `(^|/)node_modules/${name}(/|$)`;

function rulesOf({ name, path, reaches, notReaches = [], sameFolder = false, packages, notPackages, pure = false }) {
  const own = sameFolder && path.includes('([^/]+)/') ? ['^libs/tools/src/$1/'] : [];
  const from = { path };
  const rules = [
    {
      name: `${name}-reaches`,
      comment: `${name} reaches a room it must not: see the table of rooms in .dependency-cruiser.cjs`,
      from,
      to: { path: '^(apps|libs|infra)/', pathNot: [...reaches, ...own], reachable: true },
    },
  ];
  if (notReaches.length > 0)
    rules.push({
      name: `${name}-never`,
      comment: `${name} must stay loadable without these`,
      from,
      to: { path: notReaches, reachable: true },
    });
  if (packages) {
    const pathNot = packages.map(packagePath);
    rules.push({
      name: `${name}-packages`,
      comment: `${name} may name only ${packages.join(', ')}`,
      from,
      to: { path: '(^|/)node_modules/', pathNot },
    });
  }
  if (notPackages) {
    rules.push({
      name: `${name}-packages`,
      comment: `${name} stays without ${notPackages.join(', ')}`,
      from,
      to: { path: notPackages.map(packagePath) },
    });
  }
  if (pure) {
    const comment = `${name} loads in the workflow sandbox, which has no Node builtins`;
    rules.push({ name: `${name}-pure`, comment, from, to: { path: builtins, reachable: true } });
  }
  return rules.map((rule) => ({ severity: 'error', ...rule }));
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...rooms.flatMap(rulesOf),
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      comment: 'only tests import core/testing',
      from: { pathNot: testing },
      to: { path: testing },
    },
    {
      name: 'infra-is-never-imported',
      severity: 'error',
      comment: 'infra starts processes; nothing starts infra but a command',
      from: { pathNot: infra },
      to: { path: infra },
    },
    {
      name: 'api-feature-imports-no-sibling',
      severity: 'error',
      comment: 'a feature of the API imports platform, never another feature',
      from: { path: '^apps/api/src/(?!platform/)([^/]+)/' },
      to: { path: '^apps/api/src/[^/]+/', pathNot: ['^apps/api/src/$1/', '^apps/api/src/platform/'] },
    },
    {
      name: 'api-platform-imports-no-feature',
      severity: 'error',
      comment: 'features know the platform, not the other way round',
      from: { path: '^apps/api/src/platform/' },
      to: { path: '^apps/api/src/[^/]+/', pathNot: '^apps/api/src/platform/' },
    },
    {
      name: 'undeclared-package',
      severity: 'error',
      comment: 'a workspace names in its own package.json what it imports: images and `nx affected` go by that',
      // Test tools belong to the root.
      from: { pathNot: '/testing/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'undeclared-at-run-time',
      severity: 'error',
      comment: 'images are installed without devDependencies',
      from: { pathNot: '/testing/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'an import must lead somewhere',
      from: { pathNot: '^infra/demo/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['\\.test\\.ts$', '/test/', '^infra/demo/workspace/', '^infra/.*\\.[cm]js$'] },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
    },
    cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' },
  },
};
