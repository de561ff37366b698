// SPDX-License-Identifier: Apache-2.0
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { LiveRequest, LiveResponse } from '../exchange.ts';
import { FastExchange, FieldBlock, type Line } from './fastExchange.ts';
import { fieldBlockOf, isPlainBlock, MAX_HEAD, targetEnd, targetOf } from './readHead.ts';
import { readShared } from './sharedReads.ts';
import type { WriteHead } from './writeHead.ts';

/** Milliseconds; 0 disables a limit. */
type Limits = Readonly<Pick<Server, 'headersTimeout' | 'keepAliveTimeout'>>;

/** What a connection needs of its server. */
export type FastHost = {
  readonly limits: Limits;
  /** Whether plain GETs are still answered here. */
  isFast(): boolean;
  readonly writeHead: WriteHead;
  handle(request: LiveRequest, response: LiveResponse): void;
  /** Gives the socket to node:http for good. */
  handOver(socket: Socket): void;
  /** The socket has failed, or its client was too slow. */
  onFault(fault: Error & { code?: string }, socket: Socket): void;
  onGone(connection: FastConnection): void;
};

const copyOf = (bytes: Buffer, length: number): Buffer => Buffer.from(bytes.subarray(0, length));

/** node:http waits longer than it promises, so that requests which are on their way are still answered. */
const KEEP_ALIVE_BUFFER_MS = 1000;

/**
 * A connection whose requests so far were plain GETs, each of them in a chunk of its own. With the first other chunk it belongs to
 * node:http, for good.
 */
export class FastConnection implements Line {
  readonly socket: Socket;
  readonly writeHead: WriteHead;
  readonly #host: FastHost;
  #block = new FieldBlock('');
  /** `fresh` until the first response, `busy` while a response is awaited or is not sent yet. */
  #state: 'fresh' | 'busy' | 'idle' = 'fresh';
  #isTimed = false;
  #isPaused = false;
  /** Whether node:http has the socket. What it does not read itself comes here. */
  #isGone = false;

  constructor(socket: Socket, host: FastHost) {
    this.socket = socket;
    this.#host = host;
    this.writeHead = host.writeHead;
    socket.setTimeout(host.limits.headersTimeout);
    readShared(socket, this.#onRead);
    // Also for what was put back (`#keep`).
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('timeout', this.#onTimeout);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  closeIfIdle(): void {
    if (this.#state === 'idle') this.socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#take(chunk.length, chunk)) this.#refuse(chunk);
  };

  readonly #onRead = (length: number, bytes: Buffer): boolean => {
    if (this.#isGone) return this.socket.push(copyOf(bytes, length));
    if (!this.#take(length, bytes)) this.#refuse(copyOf(bytes, length));
    return true;
  };

  /** @returns whether it is answered here: false while another one is, and for what is not a plain GET */
  #take(length: number, bytes: Buffer): boolean {
    return this.#state !== 'busy' && this.#host.isFast() && this.#answer(length, bytes);
  }

  #refuse(chunk: Buffer): void {
    if (this.#state === 'busy') this.#keep(chunk);
    else this.#handOver(chunk);
  }

  #answer(length: number, bytes: Buffer): boolean {
    if (length > MAX_HEAD) return false;
    const text = bytes.toString('latin1', 0, length);
    const end = targetEnd(text);
    if (end === 0) return false;
    const block = fieldBlockOf(text, end);
    if (block !== this.#block.text) {
      if (!isPlainBlock(block)) return false;
      this.#block = new FieldBlock(block);
    }
    this.#state = 'busy';
    const exchange = new FastExchange(this, targetOf(bytes, end), this.#block);
    this.#host.handle(exchange, exchange);
    return true;
  }

  /** Responses are sent in the order of requests (RFC 9112 §9.3.2), so the next one waits. */
  #keep(chunk: Buffer): void {
    this.#isPaused = true;
    this.socket.pause();
    this.socket.unshift(chunk);
  }

  onWritten(): void {
    if (this.socket.writableLength > 0) this.#awaitFlush();
    else this.#becomeIdle();
  }

  /** A client that reads slowly may take its time, as long as it reads (`dropStalled`). */
  #awaitFlush(): void {
    this.socket.setTimeout(0);
    this.#isTimed = false;
    this.socket.write('', 'latin1', (error) => {
      if (!error) this.#becomeIdle();
    });
  }

  #becomeIdle(): void {
    this.#state = 'idle';
    if (!this.#isTimed) {
      const { keepAliveTimeout } = this.#host.limits;
      // Each request and each response restarts the timer.
      this.socket.setTimeout(keepAliveTimeout > 0 ? keepAliveTimeout + KEEP_ALIVE_BUFFER_MS : 0);
      this.#isTimed = true;
    }
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.socket.resume();
  }

  /** What was received and not answered is read again by node:http, byte for byte. */
  #handOver(chunk: Buffer): void {
    const { socket } = this;
    this.#isGone = true;
    socket.off('data', this.#onData);
    socket.off('end', this.#onEnd);
    socket.off('timeout', this.#onTimeout);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    socket.setTimeout(0);
    this.#host.onGone(this);
    // Paused, so that nothing is read before node:http listens.
    socket.pause();
    socket.unshift(chunk);
    this.#host.handOver(socket);
    socket.resume();
  }

  /** node:http ends its side with that of the client, too. */
  readonly #onEnd = (): void => void this.socket.end();

  readonly #onTimeout = (): void => {
    const { socket } = this;
    if (this.#state === 'fresh')
      this.#host.onFault(Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    // A handler has its own limits. The timer of a response that is not sent is that of `dropStalled`.
    else if (this.#state === 'idle' || socket.writableLength > 0) socket.destroy();
  };

  readonly #onError = (error: Error): void => this.#host.onFault(error, this.socket);

  readonly #onClose = (): void => this.#host.onGone(this);
}
