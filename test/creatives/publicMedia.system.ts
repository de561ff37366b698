// SPDX-License-Identifier: Apache-2.0
// MEDIA_PUBLIC_URL: requests for ad segments are redirected to the object store of media once the whole ad is there, and to Midroll
// while players cannot read it.
import { expect, test } from 'vitest';
import { expectReadable, locationsOf, TRACKED } from '../live/scenarios/cloud.ts';
import { adSource, item, openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { S3_CREDENTIALS, startS3 } from '../servers/startS3.ts';

const s3 = await opened(startS3());
const settings = { ...S3_CREDENTIALS, MEDIA_URL: s3.urlOf('public'), MEDIA_PUBLIC_URL: 'signed' };
const stage = await opened(openRealStage(settings));

test('ads are read from the object store, and from Midroll while it is unavailable', async () => {
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(4)]);
  stage.adHost.offer('/c', () => [{ id: 'spot', seconds: 4, url: spot }]);
  await stage.air('c', [item(video, { spliceTime: 4, maxDuration: 5 })], { adSource: adSource(stage.adHost, '/c') });
  // Until Midroll notices an outage, redirects still lead to the store. Players retry those requests.
  let isOutage = false;
  const viewer = await stage.watch('c', { mayBeMissing: (url) => isOutage && TRACKED.test(url) });
  const store = `http://127.0.0.1:${s3.port}/public/midroll/m/`;
  const inStore = async () => (await locationsOf(stage, viewer, 'c')).filter((location) => location.startsWith(store));
  await viewer.until('ads are redirected to the store', async () => (await inStore()).length >= 6);
  const redirected = await inStore();
  for (const location of redirected)
    expect(new URL(location).searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/);
  await expectReadable(redirected);
  isOutage = true;
  await s3.pause();
  await viewer.until('ads are served locally', async () => {
    const all = await locationsOf(stage, viewer, 'c');
    return all.length >= 6 && all.every((location) => location.includes('/m/') && !location.startsWith(store));
  });
  await s3.resume();
  await viewer.until('ads are redirected to the store again', async () => (await inStore()).length >= 6);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(stage.midroll.bugs()).toEqual([]);
});
