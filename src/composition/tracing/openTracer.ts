// SPDX-License-Identifier: Apache-2.0
// Opens the tracer if a collector is set. The packages of OpenTelemetry are loaded only then.
import type { Config } from '../../config.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { version } from '../../version.ts';

/** They are optional dependencies. */
async function loadTracer() {
  try {
    return await import('../../adapters/tracing/otlpTracer.ts');
  } catch (cause) {
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT requires the optional packages @opentelemetry/*: install them', {
      cause,
    });
  }
}

export async function openTracer(config: Config, onFailure: (reason: string) => void): Promise<Tracer | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return undefined;
  const { openOtlpTracer } = await loadTracer();
  const settings = { service: config.OTEL_SERVICE_NAME, version, ratio: Number(config.OTEL_TRACES_SAMPLER_ARG) };
  return openOtlpTracer({ endpoint, headers, ...settings }, onFailure);
}
