// SPDX-License-Identifier: Apache-2.0
// Requests to the nginx sample, from an address that is not a trusted proxy.
import { Agent, request } from 'undici';
import { opened } from '../opened.ts';
import type { NginxSample } from './startNginx.ts';

/** nginx connects from 127.0.0.1, which is trusted; viewers connect from an address that is not. */
export const VIEWER_ADDRESS = '127.0.0.2';

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
};

export async function nginxClient({ httpsPort, certificate }: NginxSample) {
  const agent = await opened(
    new Agent({
      localAddress: VIEWER_ADDRESS,
      connect: { ca: certificate, lookup: (_, __, found) => found(null, '127.0.0.1', 4) },
    }),
  );
  return async function get(
    path: string,
    headers: Readonly<Record<string, string>> = {},
    name = 'live',
  ): Promise<Reply> {
    const url = `https://${name}.example.com:${httpsPort}${path}`;
    const response = await request(url, { dispatcher: agent, headers });
    const body = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, body };
  };
}
