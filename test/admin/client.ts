// SPDX-License-Identifier: Apache-2.0
// Sends requests without a socket, with an API key, and reads the response as JSON.
import type { FastifyInstance } from 'fastify';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  readonly json: any;
};

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Bodies other than strings and buffers are sent as JSON. */
export function clientOf(app: FastifyInstance, key?: string): Client {
  return async (method, path, body, headers = {}) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = response.body;
    const isJson = String(response.headers['content-type']).includes('json') && text !== '';
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
}
