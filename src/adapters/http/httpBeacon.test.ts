// SPDX-License-Identifier: Apache-2.0
import { Agent } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { serveInTest } from '../../../test/serve.ts';
import { createHttpBeacon } from './httpBeacon.ts';

function connecting(options: Agent.Options = {}): Agent {
  const agent = new Agent(options);
  onTestFinished(() => agent.destroy());
  return agent;
}

const to = (url: string) => ({ url, viewer: { address: '::ffff:192.0.2.7', userAgent: 'TV/1' }, tenant: 't' });

test('a server that never accepted the connection cannot have counted the beacon; one that never responded may have', async () => {
  const unconnected = connecting({ connect: () => undefined });
  const uncounted = { ok: false, reason: expect.any(String), retry: 'later', isUnsure: false };
  expect(await createHttpBeacon(unconnected, { timeoutMs: 50 })(to('http://t.test/'))).toEqual(uncounted);
  const url = await serveInTest(({ url: path }, response) => {
    if (path === '/first') response.writeHead(204).end();
  });
  const agent = connecting();
  // The connection exists already, so the request is sent however busy the machine is.
  expect(await createHttpBeacon(agent)(to(`${url}/first`))).toEqual({
    ok: true,
    status: 204,
  });
  const silent = await createHttpBeacon(agent, { timeoutMs: 300 })(to(`${url}/silent`));
  expect(silent).toMatchObject({ ok: false, retry: 'later', isUnsure: true });
});

test('redirects are followed with the headers of the viewer, and a server that redirected may have counted the beacon', async () => {
  const received: unknown[] = [];
  const url = await serveInTest(({ url: path, headers }, response) => {
    received.push([path, headers['x-forwarded-for'], headers['user-agent']]);
    if (path === '/lost') response.writeHead(302, { location: '/broken' }).end('moved');
    else if (path === '/broken') response.writeHead(500).end();
    else if (path === '/there?x=1') response.writeHead(204).end();
    else response.writeHead(303, { location: ' /there?x=1#top ' }).end();
  });
  const send = createHttpBeacon(connecting());
  expect(await send(to(`${url}/here`))).toEqual({ ok: true, status: 204 });
  expect(received).toEqual(['/here', '/there?x=1'].map((path) => [path, '192.0.2.7', 'TV/1']));
  expect(await send(to(`${url}/lost`))).toMatchObject({
    ok: false,
    status: 500,
    isUnsure: true,
  });
  expect(await send(to(`${url}/broken`))).toMatchObject({
    ok: false,
    status: 500,
    isUnsure: false,
  });
});

test('a body that never ends delays neither the outcome nor the end of the connection', async () => {
  let closed = 0;
  const url = await serveInTest((request, response) => {
    request.socket.once('close', () => {
      closed += 1;
    });
    response.writeHead(200).write('GIF89a');
  });
  expect(await createHttpBeacon(connecting())(to(url))).toEqual({ ok: true, status: 200 });
  await expect.poll(() => closed).toBe(1);
});

test.each([
  ['ftp://t.test/', 'never'],
  ['http://', 'never'],
  ['http://t.test:1/', 'later'],
])('%s is retried: %s', async (url, retry) => {
  const refusing = connecting({ connect: (_, callback) => callback(new Error('no'), null) });
  expect(await createHttpBeacon(refusing)(to(url))).toMatchObject({
    ok: false,
    retry,
    isUnsure: false,
  });
});
