// SPDX-License-Identifier: Apache-2.0
// The settings of metrics and traces.
import { Type } from 'typebox';

export const observabilitySettings = {
  WORKER_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description:
        'Port of a process with ROLE=worker for `/health`, `/ready` and `/metrics`. Default: 8082, or a free port if that is in use. With WORKERS, the first of as many ports, one for each process; default: none. 0 picks free ports.',
    }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    Type.String({
      format: 'uri',
      schemes: 'http https',
      description: 'URL of a collector for traces (OTLP over HTTP with JSON). Default: no traces.',
    }),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(
    Type.String({
      pattern: '^[^=,\\s]+=[^,]*(,[^=,\\s]+=[^,]*)*$',
      expected: 'name=value pairs, separated by commas',
      description: 'Headers of requests to the collector, as `name=value`, separated by commas.',
    }),
  ),
  OTEL_SERVICE_NAME: Type.String({ default: 'midroll', description: 'Name of this service in traces.' }),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    pattern: '^(0|1|0?\\.\\d{1,6}|1\\.0{1,6})$',
    expected: 'a number from 0 to 1',
    default: '0.01',
    description: 'Share of requests without a sampled parent that are traced, from 0 to 1.',
  }),
};
