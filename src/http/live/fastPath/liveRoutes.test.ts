// SPDX-License-Identifier: Apache-2.0
// The routes of the live port answer and are counted alike, whether plain GETs are answered on their sockets or not.
import { connect } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { get } from '../../../../test/fastPath/corpus.ts';
import { normalized } from '../../../../test/fastPath/twins.ts';
import { type LiveChannel, serveLiveChannel } from '../../../../test/servers/liveServer.ts';
import { createProxies } from '../../proxies.ts';
import { createRequestCounts } from '../measure/requestCounts.ts';

const VIEWER = '203.0.113.9';

async function startSide(isFast: boolean) {
  const counts = createRequestCounts();
  const proxies = createProxies(['127.0.0.1']);
  const live = await serveLiveChannel({
    isFast,
    counts,
    proxies,
    liveUrl: (request) => proxies.originOf(request) ?? 'none',
  });
  return { live, counts };
}
type Side = Awaited<ReturnType<typeof startSide>>;

const sides: readonly Side[] = [await startSide(true), await startSide(false)];
afterAll(async () => {
  for (const { live } of sides) await live.close();
});

const HEADERS = [`X-Forwarded-For: ${VIEWER}`, 'X-Forwarded-Host: tv.example', 'X-Forwarded-Proto: https'];
const LENGTH = /^content-length: (\d+)\r$/m;

/** One response. The connection is closed after it. */
function answerOf({ port }: LiveChannel, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1').on('error', reject);
    socket.on('data', (part) => {
      text += part.toString('latin1');
      const body = text.indexOf('\r\n\r\n') + 4;
      if (body < 4 || text.length < body + Number(LENGTH.exec(text)?.[1] ?? 0)) return;
      socket.destroy();
      resolve(text);
    });
    socket.write(get(path, ...HEADERS));
  });
}

/** @returns the answers, with the paths of a session that was opened there */
async function answersOf({ live }: Side): Promise<readonly string[]> {
  const [, id] = /\/view\/([^?]+)/.exec(live.opening)!;
  const opened = await answerOf(live, live.opening);
  const [, session] = /"sessionId":"([^"]+)"/.exec(opened)!;
  const { session: stored } = (await live.sessions.find(session!))!;
  expect(stored.viewer.address).toBe(VIEWER);
  const paths = [
    ...['/health', '/ready', '/time', '/unknown', '/%zz', '//', '/hls/none/none/v0.m3u8', '/m/a/b/c/d'],
    ...[`/dash/${id}/${session}.mpd`, `/dash/${id}/none.mpd`, `/dash/view/${id}?api-key=wrong`, `/dash/view/${id}`],
    ...[`/dash/${id}/${session}/patch.mpp`, `/ad-aggregation-service/mrss/channel/${id}`],
  ];
  const answers = [opened];
  for (const path of paths) answers.push(await answerOf(live, path));
  return answers.map(normalized);
}

test('answers and counts', async () => {
  const [fast, node] = [await answersOf(sides[0]!), await answersOf(sides[1]!)];
  expect(fast).toEqual(node);
  expect(fast[0]).toContain('https://tv.example/dash/');
  expect(new Set(fast.map((answer) => answer.slice(9, 12)))).toEqual(
    new Set(['200', '400', '401', '403', '404', '405']),
  );
  const countsOf = ({ counts }: Side) =>
    counts.metrics.flatMap(({ values }) =>
      values()
        .filter(({ metricName }) => metricName?.endsWith('_count') ?? true)
        .map(({ labels, value }) => ({ labels, value })),
    );
  expect(countsOf(sides[0]!)).toEqual(countsOf(sides[1]!));
});
