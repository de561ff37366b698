// SPDX-License-Identifier: Apache-2.0
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { invariant } from '../../../invariant.ts';
import type { BodyEncoding, LiveRequest, LiveResponse } from '../exchange.ts';
import { rawHeadersIn } from './readHead.ts';
import type { WriteHead } from './writeHead.ts';

/** The field lines of a request. Those of one connection usually repeat, so they are kept with what was read from them. */
export class FieldBlock {
  readonly text: string;
  #raw: readonly string[] | undefined;
  #headers: IncomingHttpHeaders | undefined;

  /** @param text for which `isPlainBlock` holds */
  constructor(text: string) {
    this.text = text;
  }

  get raw(): readonly string[] {
    this.#raw ??= rawHeadersIn(this.text);
    return this.#raw;
  }

  /** No name occurs twice, so nothing is joined or dropped. */
  get headers(): IncomingHttpHeaders {
    if (this.#headers !== undefined) return this.#headers;
    const headers: Record<string, string> = {};
    for (let at = 0; at < this.raw.length; at += 2)
      headers[(this.raw[at] ?? '').toLowerCase()] = this.raw[at + 1] ?? '';
    this.#headers = headers;
    return headers;
  }
}

/** What an exchange needs of its connection. */
export type Line = {
  readonly socket: Socket;
  readonly writeHead: WriteHead;
  /** Called once, after the response was written. */
  onWritten(): void;
};

/** Longer texts are not joined, which would take as long as to send them. */
const LONG = 8192;

/** A request and its response: one object, because each request makes one. The body of a response is complete when it ends. */
export class FastExchange implements LiveRequest, LiveResponse {
  readonly url: string;
  statusCode = 200;
  readonly #line: Line;
  readonly #block: FieldBlock;
  /** Fields that precede those of `writeHead`, by their names in lower case. */
  #fields: Map<string, readonly [string, string]> | undefined;
  /** Bytes (latin1) that are not written yet: the head, and the texts after it. */
  #text = '';
  #state: 'open' | 'headed' | 'corked' | 'done' = 'open';

  constructor(line: Line, url: string, block: FieldBlock) {
    this.#line = line;
    this.url = url;
    this.#block = block;
  }

  get method(): string {
    return 'GET';
  }

  get socket(): Socket {
    return this.#line.socket;
  }

  get headers(): IncomingHttpHeaders {
    return this.#block.headers;
  }

  get rawHeaders(): readonly string[] {
    return this.#block.raw;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {}

  get headersSent(): boolean {
    return this.#state !== 'open';
  }

  setHeader(name: string, value: string | number): void {
    this.#fields ??= new Map();
    this.#fields.set(name.toLowerCase(), [name, String(value)]);
  }

  writeHead(status: number, headers: string[]): void {
    invariant(this.#state === 'open', 'a response has one head');
    this.#text = this.#line.writeHead(status, this.#fields === undefined ? headers : this.#allFields(headers));
    this.statusCode = status;
    this.#state = 'headed';
  }

  /** node:http replaces a field of the same name in its place. */
  #allFields(headers: readonly string[]): string[] {
    for (let at = 0; at < headers.length; at += 2) this.setHeader(headers[at] ?? '', headers[at + 1] ?? '');
    return [...(this.#fields?.values() ?? [])].flat();
  }

  /** Nothing: texts are collected, and bytes are corked. */
  cork(): void {}

  uncork(): void {}

  write(chunk: string | Uint8Array, encoding: BodyEncoding): void {
    if (typeof chunk === 'string' && (encoding === 'latin1' || Buffer.byteLength(chunk) === chunk.length)) {
      if (chunk.length >= LONG) this.#writeLong(chunk);
      else this.#text += chunk;
    } else this.#writeBytes(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }

  /** What follows leaves in one vectored write. */
  #writeText(): void {
    const { socket } = this.#line;
    if (this.#state === 'done' || !socket.writable) return;
    if (this.#state === 'headed') socket.cork();
    this.#state = 'corked';
    if (this.#text !== '') socket.write(this.#text, 'latin1');
    this.#text = '';
  }

  #writeLong(text: string): void {
    this.#writeText();
    if (this.#state === 'corked') this.#line.socket.write(text, 'latin1');
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#writeText();
    if (this.#state === 'corked') this.#line.socket.write(bytes);
  }

  end(body?: string | Uint8Array): void {
    if (this.#state === 'done') return;
    invariant(this.#state !== 'open', 'a response has a head');
    if (body !== undefined) this.write(body, 'utf8');
    const { socket } = this.#line;
    // A client that is gone receives nothing, also if it has only ended its side, as in node:http.
    if (this.#text !== '' && socket.writable) socket.write(this.#text, 'latin1');
    if (this.#state === 'corked') socket.uncork();
    this.#text = '';
    this.#state = 'done';
    this.#line.onWritten();
  }

  /** A response that is complete has left the connection to the next one. */
  destroy(): void {
    if (this.#state === 'done') return;
    this.#state = 'done';
    this.#line.socket.destroy();
  }
}
