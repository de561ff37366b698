// SPDX-License-Identifier: Apache-2.0
// Traces: spans of requests and jobs, and of what happens within them. Only types: without OTEL_EXPORTER_OTLP_ENDPOINT there is no
// tracer, and nothing is done for traces. Recording and sending spans is implemented by adapters/tracing.

/** Attributes of a span. Never query strings, headers or bodies, which can contain secrets. */
type SpanFacts = Readonly<Record<string, string | number | boolean>>;

type SpanKind = 'server' | 'client' | 'internal';

export type Span = {
  set(facts: SpanFacts): void;
  /** Spans that begin during `work`, also asynchronously, are children of this one. */
  run<Result>(work: () => Result): Result;
  /** @param failure why the work failed; absent if it succeeded */
  end(failure?: string): void;
};

/** Fields of log lines within a span. */
type TraceFields = { readonly trace_id?: string; readonly span_id?: string };

export type Tracer = {
  /**
   * Begins a child of the current span, or a new trace, of which only a share is recorded.
   * @param traceparent the header of a request (W3C Trace Context), whose trace is continued
   */
  begin(name: string, kind: SpanKind, facts?: SpanFacts, traceparent?: string): Span;
  /** The fields of the current span; empty outside of spans. */
  fields(): TraceFields;
  /** Sends what is recorded. */
  close(): Promise<void>;
};

/** Makes `work` a span. */
export async function traced<Result>(
  tracer: Tracer | undefined,
  name: string,
  kind: SpanKind,
  facts: SpanFacts,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  if (tracer === undefined) return work(undefined);
  const span = tracer.begin(name, kind, facts);
  try {
    const result = await span.run(() => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'Error');
    throw error;
  }
}
