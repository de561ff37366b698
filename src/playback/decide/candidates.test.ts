// SPDX-License-Identifier: Apache-2.0
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { testSource } from '../../../test/media/conditioning.ts';
import { openSpot } from '../../../test/servers/creativeHost.ts';
import type { ResolvedAd } from '../../ads/record/breakRecord.ts';
import { readVast } from '../../vast/read/readVast.ts';
import type { InLineAd } from '../../vast/response.ts';
import { candidateFor } from './candidates.ts';
import { type AdChannel, candidatesOf } from './choosePod.ts';

const { ladder, conditioning, host, close } = await openSpot('two.mp4', 2);
afterAll(close);

/** @param id the UniversalAdId element, or empty */
function adWith(id: string, ...urls: readonly string[]): ResolvedAd {
  const files = urls.map(
    (url, index) =>
      `<MediaFile delivery="progressive" type="video/mp4" width="${160 - index}" height="90">${url}</MediaFile>`,
  );
  const read = readVast(
    `<VAST version="4.2"><Ad id="a"><InLine><AdSystem/><AdTitle>A</AdTitle><Creatives><Creative>${id}<Linear><Duration>00:00:02</Duration><MediaFiles>${files.join('')}</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`,
  );
  if ('reason' in read) throw new Error(read.reason);
  return { ad: read.ads[0] as InLineAd };
}

const adOf = (...urls: readonly string[]): ResolvedAd => adWith('', ...urls);

const settledOf = async (ad: ResolvedAd) => {
  const tried = candidateFor(ad, ladder, conditioning.library);
  await tried.settled;
  const { creative } = tried.candidate();
  return { tried, creative, media: creative.state === 'ready' ? creative.media : undefined };
};

it('uses a creative as is until a conditioned copy is requested and ready', async () => {
  const url = `${host.url}/spot/master.m3u8`;
  const first = await settledOf(adOf(url));
  expect(first.media?.asset).toBeDefined();
  expect((await settledOf(adOf(url))).media?.id).toBe(first.media?.id);
  first.tried.conditionCopy();
  // Until the copy is ready, the creative is used as is.
  await conditioning.library.settled(`${url} conditioned`, ladder);
  const { media, tried } = await settledOf(adOf(url));
  expect([media?.asset, media?.frames]).toEqual([undefined, 50]);
  expect(tried.candidate().key).toBe(url);
});

it('tries the next media file if one fails', async () => {
  const { url } = conditioning.sourceOf('two.mp4');
  const { media, tried } = await settledOf(adOf(`${host.url}/gone/master.m3u8`, url));
  expect(media?.frames).toBe(50);
  expect(tried.assetUrl).toBe(url);
  const { creative } = await settledOf(adOf(`${host.url}/gone/master.m3u8`));
  expect(creative).toMatchObject({ state: 'failed', fault: 'NOT_FOUND' });
});

it('finds a creative by its id that was prepared under its URL', async () => {
  const { url } = conditioning.sourceOf('ahead.mp4');
  await conditioning.make('ahead.mp4', ...testSource(1));
  conditioning.library.prepare(url, conditioning.sourceOf('ahead.mp4'), ladder);
  const made = await conditioning.library.settled(url, ladder);
  // From here on it cannot be conditioned again.
  await rm(join(conditioning.folder, 'ahead.mp4'));
  const ad = adWith('<UniversalAdId idRegistry="ad-id.org">CNPA0484</UniversalAdId>', url);
  expect((await settledOf(ad)).creative).toEqual(made);
});

it('does not request the creative of an ad that the rules block', async () => {
  const adChannel = { channel: { adRules: { blockedCreatives: ['blocked'] } }, ladder } as unknown as AdChannel;
  const of = (id: string) =>
    adWith(`<UniversalAdId idRegistry="x">${id}</UniversalAdId>`, `${host.url}/${id}/master.m3u8`);
  const tried = candidatesOf(adChannel, { ads: [of('blocked'), of('allowed')] }, conditioning.library);
  await Promise.all(tried.map(({ settled }) => settled));
  expect(tried.map(({ candidate }) => candidate().creative.state)).toEqual(['preparing', 'failed']);
});

it('keeps only the creative that is shown', () => {
  const { ad } = adWith('', conditioning.sourceOf('two.mp4').url);
  const [video] = ad.creatives;
  const script = { url: 'https://ads.test/unit.js', type: 'application/javascript', delivery: 'progressive' } as const;
  const unit = { ...video!, linear: { ...video!.linear!, mediaFiles: [script] } };
  const tried = candidateFor({ ad: { ...ad, creatives: [unit, video!] } }, ladder, conditioning.library);
  expect(tried.ad.creatives).toEqual([video]);
});
