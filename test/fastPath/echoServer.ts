// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import type { LiveRequest, LiveResponse } from '../../src/http/live/exchange.ts';
import { LiveServer } from '../../src/http/live/fastPath/liveServer.ts';
import { reply, replyError, replyJson, replyNothing, replyRedirect } from '../../src/http/live/reply.ts';

/** Longer than what a socket takes at once. */
const LONG = Buffer.alloc(300_000, 'long');

/** What was understood of a request, in each of the ways in which responses are written. */
function echo(request: LiveRequest, response: LiveResponse): void {
  const { method, url = '', headers, rawHeaders } = request;
  const seen = { method, url, headers, rawHeaders };
  const [, way] = /^\/(\w*)/.exec(url) ?? [];
  if (way === 'bytes')
    reply(request, response, { type: 'x/y', body: Buffer.from(JSON.stringify(seen)), cache: 'always' });
  else if (way === 'long') reply(request, response, { type: 'x/y', body: LONG, cache: 'moment' });
  else if (way === 'utf8') reply(request, response, { type: 'x/y', body: `é€𝄞 ${url}`, cache: 'never' });
  else if (way === 'empty') reply(request, response, { type: 'x/y', body: '', cache: 'never' });
  else if (way === 'nothing') replyNothing(response);
  else if (way === 'redirect') replyRedirect(response, `/to${url}?ä`);
  else if (way === 'error') replyError(request, response, new Error('inner'), crypto.randomUUID());
  else replyJson(request, response, way === 'missing' ? 404 : 200, seen);
}

export type EchoServer = {
  readonly server: LiveServer;
  /** Whether a handler has not answered yet. */
  readonly isBusy: () => boolean;
};

/** Answers what it has understood; `/later…` after a while. */
export function echoServer(isFast: boolean): EchoServer {
  let waiting = 0;
  const handle = async (request: LiveRequest, response: LiveResponse) => {
    if (!request.url?.startsWith('/later')) return echo(request, response);
    waiting += 1;
    await turn();
    waiting -= 1;
    echo(request, response);
  };
  const server = new LiveServer({}, (request, response) => void handle(request, response), isFast);
  return { server, isBusy: () => waiting > 0 };
}
