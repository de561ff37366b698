// SPDX-License-Identifier: Apache-2.0
// Lets the client of a storage account send its requests through the egress guard. Follows no redirects and limits the
// size of responses; blobs are left to the client.
import type { HttpOperationResponse, IHttpClient, WebResource } from '@azure/storage-blob';
import { type Dispatcher, request } from 'undici';
import { ExchangeStopped } from './exchangeFailure.ts';

/** The largest response is a page of a list of blobs. */
const MAX_RESPONSE_BYTES = 16 * 2 ** 20;

type Headers = Record<string, string>;

const headersOf = (response: Dispatcher.ResponseData): Headers =>
  Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw new ExchangeStopped('tooLarge', `sent more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @param timeoutMs for each request, including its response */
export function createGuardedHttpClient(dispatcher: Dispatcher, timeoutMs: number): IHttpClient {
  return {
    async sendRequest(resource: WebResource): Promise<HttpOperationResponse> {
      const response = await request(resource.url, {
        dispatcher,
        method: resource.method as Dispatcher.HttpMethod,
        // Compressed responses are not requested: their decompressed size has no limit.
        headers: { ...resource.headers.rawHeaders(), 'accept-encoding': 'identity' },
        body: resource.body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const text = await readText(response.body);
      const headers = headersOf(response);
      // The only method of the header collection that the client calls.
      const collection = { toJson: () => headers } as unknown as HttpOperationResponse['headers'];
      return { request: resource, status: response.statusCode, headers: collection, bodyAsText: text };
    },
  };
}
