// SPDX-License-Identifier: Apache-2.0
// Records spans and sends them to a collector (OTLP over HTTP with JSON), with the packages of OpenTelemetry. Loaded only if a
// collector is set. The operator sets its address, so the egress guard does not apply.
import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { Span, Tracer } from '../../tracing/tracer.ts';

export type OtlpSettings = {
  readonly endpoint: string;
  /** `name=value` pairs, separated by commas. */
  readonly headers?: string | undefined;
  readonly service: string;
  readonly version: string;
  /** Share of new traces that are recorded, 0 to 1. */
  readonly ratio: number;
};

/** Spans that wait to be sent; further ones are dropped. */
const MAX_WAITING = 2048;
const SEND_INTERVAL_MS = 2000;
const EXPORT_TIMEOUT_MS = 5000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** W3C Trace Context, 3.2.2. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

function remoteContext(traceparent: string | undefined) {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

const headersOf = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
    }),
  );

/** Why an export failed: the status of the response, or the code of a network error. */
function reasonOf(error: (Error & { readonly code?: number | string }) | undefined): string {
  const cause = error?.cause as { readonly code?: string } | undefined;
  return String(cause?.code ?? error?.code ?? error?.name ?? 'unknown');
}

/** @param onFailure receives why spans could not be sent, without the address of the collector */
export function openOtlpTracer(
  { endpoint, headers, service, version, ratio }: OtlpSettings,
  onFailure: (reason: string) => void,
): Tracer {
  const collector = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: headersOf(headers),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const exporter: SpanExporter = {
    export: (spans, done) =>
      collector.export(spans, (result) => {
        if (result.code !== 0) onFailure(reasonOf(result.error));
        done(result);
      }),
    shutdown: () => collector.shutdown(),
  };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_INTERVAL_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const tracer = provider.getTracer('midroll', version);
  return {
    begin(name, kind, attributes = {}, traceparent): Span {
      const parent = remoteContext(traceparent) ?? context.active();
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parent);
      const within = trace.setSpan(parent, span);
      return {
        set: (facts) => void span.setAttributes(facts),
        run: (work) => context.with(within, work),
        end(failure) {
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
          span.end();
        },
      };
    },
    fields() {
      const current = trace.getSpanContext(context.active());
      return current === undefined ? {} : { trace_id: current.traceId, span_id: current.spanId };
    },
    close: () => provider.shutdown(),
  };
}
