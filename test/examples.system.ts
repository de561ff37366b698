// SPDX-License-Identifier: Apache-2.0
// examples/curl.sh and examples/typescript-client run against a real Midroll. test/browser/examples.system.ts plays the pages.

import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPage, root } from '../site/markdownPages.ts';
import { runBlocks } from './docs/runBlocks.ts';
import { opened } from './opened.ts';
import { startDemoServers } from './servers/demoServers.ts';

const { midroll, origin, adServer, dataDir } = await opened(startDemoServers({ hasPrebuiltAds: true }));
const env: NodeJS.ProcessEnv = {
  ...{ PATH: process.env.PATH, HOME: process.env.HOME, SCRATCH: dataDir },
  ...{ ADMIN_URL: midroll.adminUrl, LIVE_URL: midroll.liveUrl, CONTENT_URL: `${origin}/hills/master.m3u8` },
  AD_SERVER_URL: `${adServer}/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`,
};

test('the commands of docs/clients.md run curl.sh, and compile and run the TypeScript client', async () => {
  // Below the root, so that the packages of the project are found.
  const folder = join(root, `.cache/typescript-client-${process.pid}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'examples/typescript-client'), folder, { recursive: true });
  const places = [['cd examples/typescript-client', `cd ${folder}`]] as const;
  const page = 'docs/clients.md';
  const [byCurl, byClient] = await runBlocks(page, readPage(page), { cwd: root, env, places });

  const lines = byCurl!.split('\n').filter((line) => /^[[{]/.test(line));
  const [playlist, channel, session, feed, sessions] = lines.map((line) => JSON.parse(line));
  expect([playlist.id, channel.id]).toEqual(['curl-example', 'curl-example']);
  expect(byCurl).toContain('#EXTINF');
  expect(session.mediaURL).toContain(sessions[0].id);
  expect(feed).toMatchObject({ avails: expect.any(Array) });
  expect(byClient).toMatch(/hills\/master\.m3u8 is ready/);
  expect(byClient).toMatch(/Playback URL: http/);
  expect(byClient).toMatch(/Session [0-9a-f-]{36} was opened at 20/);
});
