// SPDX-License-Identifier: Apache-2.0
// Makes each ad request a span: its host and its outcome. Paths and query strings are left out, because they can contain secrets.
import type { AdServer } from '../../ads/request/ports.ts';
import { type Tracer, traced } from '../../tracing/tracer.ts';

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** @returns the same ad server without a tracer */
export const tracedAdServer = (adServer: AdServer, tracer: Tracer | undefined): AdServer =>
  tracer === undefined
    ? adServer
    : {
        send: (request, limits) =>
          traced(
            ...([tracer, 'ad request', 'client'] as const),
            { 'http.request.method': request.method, 'server.address': hostOf(request.url) },
            async (span) => {
              const response = await adServer.send(request, limits);
              if (response.status !== undefined) span?.set({ 'http.response.status_code': response.status });
              if (!response.ok) span?.set({ 'error.type': response.error });
              return response;
            },
          ),
      };
