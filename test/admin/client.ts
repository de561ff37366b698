// Requests of the tests: in memory, with a key, the answer as JSON.
import type { FastifyInstance } from 'fastify';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
};

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

/** Bodies that are no strings are sent as JSON. */
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
