// SPDX-License-Identifier: Apache-2.0
// A server of node:http that answers plain GET requests on their sockets, which costs less. It leaves every other request to
// node:http, with all that follows on its connection (docs/decisions/051-fast-path.md).
import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { defined } from '../../../invariant.ts';
import { sendClientError } from '../../sendClientError.ts';
import type { LiveRequest, LiveResponse } from '../exchange.ts';
import { FastConnection, type FastHost } from './fastConnection.ts';
import { createHeadWriter } from './writeHead.ts';

type Handle = (request: LiveRequest, response: LiveResponse) => void;

export class LiveServer extends Server {
  readonly #connections = new Set<FastConnection>();

  /** @param isFast whether plain GETs are answered on their sockets */
  constructor(options: ServerOptions, handle: Handle, isFast: boolean) {
    super(options, handle);
    this.#answerFaults();
    if (isFast) this.#takeConnections(handle);
  }

  /**
   * Bytes that cannot be parsed are answered after the requests before them (RFC 9112 §9.3.2). Without this, that would depend on
   * whether node:http reads the socket itself, or is given what was read before.
   */
  #answerFaults(): void {
    const last = new WeakMap<Duplex, ServerResponse>();
    this.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => void last.set(socket, response));
    this.on('clientError', (fault: Error & { code?: string }, socket: Duplex) => {
      const answer = () => sendClientError(fault, socket);
      const response = last.get(socket);
      const isAwaited = response?.req.complete && !response.writableFinished && !response.destroyed;
      if (!fault.code?.startsWith('HPE_')) answer();
      else if (isAwaited) response.once('close', answer);
      else setImmediate(answer);
    });
  }

  #takeConnections(handle: Handle): void {
    const [listener] = this.listeners('connection');
    const listen = defined(listener, 'a server of node:http has a listener of its connections') as (
      one: Socket,
    ) => void;
    this.removeListener('connection', listen);
    let isFast = true;
    // A listener of `request` that is added later has to see every request, as that of `closeAfterResponses` does.
    this.on('newListener', (event) => {
      if (event === 'request') isFast = false;
    });
    const host: FastHost = {
      limits: this,
      isFast: () => isFast,
      writeHead: createHeadWriter(this, Date.now),
      handle,
      handOver: (socket) => listen.call(this, socket),
      onFault: (fault, socket) => {
        if (!this.emit('clientError', fault, socket)) socket.destroy(fault);
      },
      onGone: (connection) => void this.#connections.delete(connection),
    };
    this.on('connection', (socket: Socket) => void this.#connections.add(new FastConnection(socket, host)));
  }

  override closeAllConnections(): void {
    super.closeAllConnections();
    for (const { socket } of this.#connections) socket.destroy();
  }

  override closeIdleConnections(): void {
    super.closeIdleConnections();
    for (const connection of this.#connections) connection.closeIfIdle();
  }
}
