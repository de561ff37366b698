// SPDX-License-Identifier: Apache-2.0
// What the routes of the live port need of a request and of its response. The objects of node:http have it, and so have
// those of requests that are answered on the socket (fastPath/).
import type { RequestSource } from '../proxies.ts';

/** The body is empty unless the request is a POST. */
export type LiveRequest = RequestSource & {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
};

export type LiveResponse = {
  readonly statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: string | number): unknown;
  /** @param headers names and values in turn, with content-length unless the status is 204 */
  writeHead(status: number, headers: string[]): unknown;
  cork(): void;
  write(chunk: string | Uint8Array, encoding: BodyEncoding): unknown;
  uncork(): void;
  /** @param body UTF-8 if it is a text */
  end(body?: string | Uint8Array): unknown;
  /** Closes the connection, unless the response is complete. */
  destroy(): unknown;
};

/** ASCII text is sent as latin1, which needs neither counting nor encoding. */
export type BodyEncoding = 'utf8' | 'latin1';
