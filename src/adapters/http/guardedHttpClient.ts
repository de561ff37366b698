// How the storage account's own client speaks HTTP: through the egress guard, like everything else that goes out. It
// follows no redirect, reads no more than a list is long, and knows nothing of blobs.
import type { HttpOperationResponse, IHttpClient, WebResource } from '@azure/storage-blob';
import { type Dispatcher, request } from 'undici';
import { ExchangeStopped } from './exchangeFailure.ts';

const MOST_BYTES = 16 * 2 ** 20;

type Headers = Record<string, string>;

const headersOf = (answer: Dispatcher.ResponseData): Headers =>
  Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new ExchangeStopped('tooLarge', `sent more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @param timeoutMs for each request, its answer included */
export function createGuardedHttpClient(dispatcher: Dispatcher, timeoutMs: number): IHttpClient {
  return {
    async sendRequest(asked: WebResource): Promise<HttpOperationResponse> {
      const answer = await request(asked.url, {
        dispatcher,
        method: asked.method as Dispatcher.HttpMethod,
        // Nothing here unpacks: what a packed answer unpacks to has no bound.
        headers: { ...asked.headers.rawHeaders(), 'accept-encoding': 'identity' },
        body: asked.body ?? null,
        signal: AbortSignal.timeout(timeoutMs),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const text = await readText(answer.body);
      const headers = headersOf(answer);
      // Of a header collection the client asks only for this form of it.
      const collection = { toJson: () => headers } as unknown as HttpOperationResponse['headers'];
      return { request: asked, status: answer.statusCode, headers: collection, bodyAsText: text };
    },
  };
}
