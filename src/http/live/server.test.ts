// SPDX-License-Identifier: Apache-2.0
// A viewer behind a reverse proxy on the same machine that sets headers like nginx with `$proxy_add_x_forwarded_for`,
// `$host` and `$scheme`.
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { closeServer, listenFrom } from '../../../demo/listen.ts';
import { openedInTest } from '../../../test/opened.ts';
import { serveInTest } from '../../../test/serve.ts';
import { type LiveChannel, serveLiveChannel } from '../../../test/servers/liveServer.ts';
import { publicUrls } from '../../composition/publicUrls.ts';
import { createProxies } from '../proxies.ts';
import { dropStalled } from './server.ts';

/** The address of the viewer's connection to the proxy. */
const VIEWER = '203.0.113.9';

let live: LiveChannel;

async function startBehindProxy(trusted: readonly string[], sendsHost: boolean) {
  const proxies = createProxies(trusted);
  const urls = publicUrls({
    config: {},
    proxies,
    warn: () => {},
    adminAddress: () => 'http://admin.here',
    liveAddress: () => 'http://live.here',
  });
  live = await openedInTest(serveLiveChannel({ proxies, liveUrl: urls.live }));
  const url = await serveInTest((incoming, response) => {
    const { headers, url } = incoming;
    const own = sendsHost ? { 'x-forwarded-host': 'tv.example', 'x-forwarded-proto': 'https' } : {};
    const forwardedFor = [headers['x-forwarded-for'], VIEWER].filter((entry) => entry !== undefined).join(', ');
    const onward = { ...headers, ...own, 'x-forwarded-for': forwardedFor };
    request({ port: live.port, path: url, headers: onward }, (upstream) => {
      response.writeHead(upstream.statusCode!, upstream.headers);
      upstream.pipe(response);
    }).end();
  });
  return Number(new URL(url).port);
}

/** @returns the origin of the viewer's media URL and the address stored in the session */
async function open(port: number, headers: Readonly<Record<string, string>>) {
  const text = await new Promise<string>((resolve, reject) => {
    request({ port, path: live.opening, headers }, (response) => {
      let read = '';
      response.on('data', (part) => {
        read += part;
      });
      response.on('end', () => resolve(read));
    })
      .on('error', reject)
      .end();
  });
  const { mediaURL } = JSON.parse(text) as { mediaURL: string };
  const state = await live.sessions.find(/([^/]+)\.mpd$/.exec(mediaURL)![1]!);
  return { origin: new URL(mediaURL).origin, address: state!.session.viewer.address };
}

const forged = { host: 'evil.example', 'x-forwarded-for': '8.8.8.8', 'x-forwarded-host': 'evil.example' };

test('behind a trusted proxy, forged address and host headers have no effect', async () => {
  const port = await startBehindProxy(['127.0.0.0/8'], true);
  expect(await open(port, forged)).toEqual({ origin: 'https://tv.example', address: VIEWER });
});

test('a proxy that is not trusted counts as the client', async () => {
  const port = await startBehindProxy([], false);
  expect(await open(port, forged)).toEqual({ origin: 'http://evil.example', address: '127.0.0.1' });
});

test('without x-forwarded-host, the Host header passed on by a proxy is not used', async () => {
  const port = await startBehindProxy(['127.0.0.1'], false);
  expect(await open(port, { host: 'evil.example' })).toEqual({ origin: 'http://live.here', address: VIEWER });
});

/** Larger than the buffers of a loopback connection. */
const LONG = Buffer.alloc(32 * 2 ** 20);

test('drops a connection that stops reading a response, and keeps an idle one', async () => {
  const server = createServer((incoming, response) => response.end(incoming.url === '/long' ? LONG : 'short'));
  dropStalled(server, 300);
  // The idle connection must not be closed by the keep-alive timeout.
  server.keepAliveTimeout = 600_000;
  const port = Number(new URL(await listenFrom(server, 0)).port);
  const request = (path: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    return socket;
  };
  const idle = request('/short');
  idle.resume();
  const closed: string[] = [];
  idle.once('close', () => closed.push('idle'));
  await new Promise((resolve) => idle.once('data', resolve));
  const dropped = new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', resolve));
  });
  request('/long').pause();
  await dropped;
  expect(closed).toEqual([]);
  await closeServer(server);
});
