import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../auth/public.ts';
import { Describe } from '../http/describe.ts';
import { registry } from './registry.ts';

/** Numbers for Prometheus; they name routes and reasons, never tenants or sessions. */
@Controller('metrics')
export class MetricsController {
  @Get()
  @Public()
  @Header('content-type', registry.contentType)
  @Header('cache-control', 'no-store')
  @Describe({
    summary: 'Metrics in the Prometheus text format',
    answers: { 200: { description: 'metrics', alternative: { mediaType: 'text/plain', description: 'the metrics' } } },
    access: 'public',
  })
  read(): Promise<string> {
    return registry.metrics();
  }
}
