// SPDX-License-Identifier: Apache-2.0
// A collector for traces: OTLP over HTTP with JSON.

import type { IncomingHttpHeaders } from 'node:http';
import { json } from 'node:stream/consumers';
import { startServer } from '../../demo/listen.ts';

export type ReceivedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
};

type Otlp = {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & {
        readonly attributes: readonly {
          readonly key: string;
          readonly value: Readonly<Record<string, string | number>>;
        }[];
      })[];
    }[];
  }[];
};

export type TraceReceiver = {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly headers: () => IncomingHttpHeaders;
  close(): Promise<void>;
};

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let headers: IncomingHttpHeaders = {};
  const server = await startServer(async (request, response) => {
    headers = request.headers;
    const body = (await json(request)) as Otlp;
    if (request.url !== '/v1/traces') throw new Error(`The path of traces is not ${request.url}`);
    for (const { scopeSpans } of body.resourceSpans)
      for (const one of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({
          ...one,
          attributes: Object.fromEntries(one.attributes.map(({ key, value }) => [key, Object.values(value)[0]!])),
        });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { ...server, spans, headers: () => headers };
}
