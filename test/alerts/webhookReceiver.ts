// SPDX-License-Identifier: Apache-2.0
// A webhook receiver on loopback that verifies each delivery with an independent implementation of the standard.

import { createServer, type ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { closeServer, listenFrom } from '../../demo/listen.ts';

export type Received = {
  readonly id: string;
  readonly path: string;
  readonly isVerified: boolean;
  readonly signatures: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every type
  readonly message: any;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly received: Received[];
  /** Secrets of the webhooks, by path. */
  readonly secrets: Map<string, string>;
  /** Replaces the response of a path. @param nth from 1, per path */
  respond(path: string, how: (response: ServerResponse, nth: number) => void): void;
  at(path: string): Received[];
  /** Closes all connections, also those of requests without a response. */
  endConnections(): void;
  close(): Promise<void>;
};

const MINUTE = 60;

/**
 * The standard library rejects timestamps that differ from its clock by five minutes, so on another clock only the signature
 * is verified.
 * @param now of the sender
 */
function verify(secret: string | undefined, body: string, headers: Record<string, string>, now: () => number): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  if (secret === undefined || Math.abs(now() / 1000 - timestamp) > 5 * MINUTE) return false;
  const expected = new Webhook(secret).sign(headers['webhook-id']!, new Date(timestamp * 1000), body);
  return headers['webhook-signature']!.split(' ').includes(expected);
}

export async function startWebhookReceiver(now: () => number = Date.now): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const secrets = new Map<string, string>();
  const responders = new Map<string, (response: ServerResponse, nth: number) => void>();
  const at = (path: string) => received.filter((one) => one.path === path);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url!;
      const body = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      received.push({
        id: headers['webhook-id']!,
        path,
        isVerified: verify(secrets.get(path), body, headers, now),
        signatures: headers['webhook-signature']?.split(' ').length ?? 0,
        message: request.method === 'POST' ? JSON.parse(body) : undefined,
      });
      const respond = responders.get(path) ?? ((plain: ServerResponse) => void plain.writeHead(204).end());
      respond(response, at(path).length);
    });
  });
  const url = await listenFrom(server, 0);
  return {
    url,
    received,
    secrets,
    respond: (path, how) => void responders.set(path, how),
    at,
    endConnections: () => server.closeAllConnections(),
    close: () => closeServer(server),
  };
}
