// SPDX-License-Identifier: Apache-2.0
// A VoD channel in the console, from its page to the session: a preview in both players with a seek bar in content time, the
// response of the view route, and the breaks by content time.
import { expect, test } from 'vitest';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import { opened } from '../../opened.ts';
import { errorNotice } from '../locators.ts';
import { apiKey, openStage } from '../stage.ts';
import { expectAccessible, page, signIn } from '../startConsole.ts';

/** Two items of 8 s with a pre-roll, a mid-roll and a post-roll of 5 s each. */
const CONTENT_SECONDS = 16;
const AD_SECONDS = 5;

const stage = await opened(openStage());
const preview = () => page.getByRole('region', { name: 'Preview' });
const slider = () => preview().getByRole('slider', { name: 'Content position' });
const valueText = () => slider().getAttribute('aria-valuetext');
/** Seconds of content. */
const contentTime = async () => Number(await slider().getAttribute('aria-valuenow'));
/** Seconds of the stream, of the video in the frame. */
const streamTime = async (): Promise<number> => {
  const frame = page.frames().find((each) => each.url().includes('preview.html'));
  return frame === undefined ? Number.NaN : frame.evaluate('document.querySelector("video").currentTime');
};
async function create(collection: string, body: object) {
  const response = await stage.api('POST', `/${collection}`, body);
  expect([collection, response.status]).toEqual([collection, 201]);
}
const view = async (): Promise<Partial<OpenedSession>> => {
  const response = await fetch(`${stage.midroll.liveUrl}/hls/view/film?api-key=watch`);
  return (await response.json()) as Partial<OpenedSession>;
};

test('plays a title with a seek bar in content time', async () => {
  const cue = (spliceTime: number) => ({ spliceTime, maxDuration: 10, maxAds: 1 });
  const [one, two] = stage.assets;
  const contents = [
    { url: one, cuePoints: [cue(0), cue(4)] },
    { url: two, cuePoints: [cue(-1)] },
  ];
  await create('playlists', { id: 'film', type: 'vod', status: 'enabled', contents });
  const adSource = { url: stage.adUrl };
  await create('channels', {
    id: 'film',
    name: 'Film',
    type: 'vod',
    state: 'enabled',
    playlistId: 'film',
    apiKey: 'watch',
    adSource,
  });
  // The first sessions come before the ads are conditioned.
  await expect.poll(async () => (await view()).breaks?.length, { interval: 1000 }).toBe(3);
  await page.goto(`${stage.midroll.adminUrl}/#/channels/film`);
  await signIn(apiKey);
  await page.getByRole('button', { name: 'Start preview' }).click();
  await expect.poll(valueText).toMatch(/Ad 1 of 1/);
  await expect.poll(streamTime).toBeGreaterThan(0.5);
  expect(Number(await slider().getAttribute('aria-valuemax'))).toBe(CONTENT_SECONDS);
  await expectAccessible('VoD channel');
});

test.each(['HLS', 'DASH'])('seeks in content time with the keyboard and the pointer in %s', async (format) => {
  if (format === 'DASH') {
    await page.getByRole('radio', { name: 'DASH' }).first().check();
    await expect.poll(valueText).toMatch(/Ad 1 of 1/);
    await expect.poll(streamTime).toBeGreaterThan(0);
  }
  // Five seconds of content, over the pre-roll and the mid-roll.
  await slider().press('Home');
  await slider().press('ArrowRight');
  await expect.poll(contentTime).toBeGreaterThanOrEqual(5);
  await expect.poll(streamTime).toBeGreaterThanOrEqual(5 + 2 * AD_SECONDS);
  // While it is dragged, the bar shows the target.
  const { x, y, width, height } = (await slider().boundingBox())!;
  await page.mouse.move(x + width * 0.9, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.5, y + height / 2);
  await expect.poll(contentTime).toBe(CONTENT_SECONDS / 2);
  await page.mouse.up();
  await expect.poll(streamTime).toBeGreaterThanOrEqual(CONTENT_SECONDS / 2 + 2 * AD_SECONDS - 0.1);
  await preview().getByRole('button', { name: 'Post-roll' }).click();
  await expect.poll(valueText).toMatch(/Ad 1 of 1/);
  expect(await contentTime()).toBe(CONTENT_SECONDS);
  await expect.poll(streamTime).toBeGreaterThan(CONTENT_SECONDS + 2 * AD_SECONDS);
  // To the end, and from there to the start.
  await expect.poll(streamTime).toBeGreaterThan(CONTENT_SECONDS + 3 * AD_SECONDS - 0.5);
  await slider().press('Home');
  await expect.poll(valueText).toMatch(/Ad 1 of 1/);
});

test('a player that loads nothing after a seek is opened again', async () => {
  let isHeld = true;
  // A request without an answer is pending.
  await page.route(/\.m4s/, (route) => (isHeld ? undefined : route.continue()));
  await page.route(/\.mpd/, (route) => {
    isHeld = false;
    return route.continue();
  });
  await preview().getByRole('button', { name: 'Post-roll' }).click();
  await expect.poll(streamTime).toBeGreaterThan(CONTENT_SECONDS + 2 * AD_SECONDS);
  expect(isHeld).toBe(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await slider().press('Home');
  await expect.poll(valueText).toMatch(/Ad 1 of 1/);
});

test('works on a phone', async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await slider().scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await slider().boundingBox())!;
  const input = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...parts: number[]) =>
    input.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: parts.map((part) => ({ x: x + width * part, y: y + height / 2 })),
    });
  await touch('touchStart', 0.2);
  await touch('touchMove', 0.6);
  await touch('touchMove', 0.75);
  await touch('touchEnd');
  await expect.poll(contentTime).toBeGreaterThanOrEqual(CONTENT_SECONDS * 0.75);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  await expectAccessible('VoD channel on a phone');
  await page.setViewportSize({ width: 1280, height: 900 });
});

test('starts later in the content, and shows the view response and the session by content time', async () => {
  await page.getByLabel('Start (s)').fill('6');
  const line = page.locator('.copy-line', { hasText: 'DASH session' });
  await line.getByText('start=6').waitFor();
  await page.getByRole('button', { name: 'Open session' }).click();
  await expect
    .poll(async () => JSON.parse((await page.locator('pre').textContent()) ?? ''))
    .toMatchObject({
      contentDurationSeconds: CONTENT_SECONDS,
    });
  await expectAccessible('view response');
  // The preview starts there, too: with the break before it.
  await page.getByRole('button', { name: 'Restart' }).click();
  await expect.poll(contentTime).toBe(6);
  await expect.poll(valueText).toMatch(/Ad 1 of 1/);
  await preview().getByRole('link', { name: 'View session' }).click();
  const cards = page.locator('.break-card > summary > strong');
  await expect.poll(() => cards.allTextContents()).toEqual(['Pre-roll', 'At 0:06', 'Post-roll']);
  expect(await page.locator('.break-card time[datetime]').filter({ visible: true }).count()).toBe(0);
  await expectAccessible('VoD session');
  expect(stage.browserErrors).toEqual([]);
});

test('plays content that is named by URL, and shows why other content is rejected', async () => {
  const host = new URL(stage.origin.url).host;
  await create('channels', { id: 'library', name: 'Library', type: 'vod', state: 'enabled', contentHosts: [host] });
  await page.evaluate("location.hash = '/channels/library'");
  await page.getByLabel('Content URL').fill('http://elsewhere.example.com/a.m3u8');
  await page.getByRole('button', { name: 'Start preview' }).click();
  await errorNotice(preview()).filter({ hasText: 'elsewhere.example.com' }).waitFor();
  expect(stage.browserErrors).toEqual([]);
  await page.getByLabel('Content URL').fill(stage.assets[2]!);
  await page.getByRole('button', { name: 'Start preview' }).click();
  await expect.poll(streamTime).toBeGreaterThan(0.5);
  expect(await slider().getAttribute('aria-valuemax')).toBe('8');
  expect(await preview().getByRole('list', { name: 'Breaks' }).count()).toBe(0);
});
