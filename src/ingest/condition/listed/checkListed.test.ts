// SPDX-License-Identifier: Apache-2.0
import { afterAll, expect, it } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { openSpot } from '../../../../test/servers/creativeHost.ts';
import { checkListed } from './checkListed.ts';

const { ladder, conditioning, host, made, close } = await openSpot('two.mp4', 2);
afterAll(close);

it('reports a creative as failed if its segments are no longer at its host', async () => {
  const { library, origin } = conditioning;
  library.prepare('listed', { url: `${host.url}/spot/master.m3u8`, mimeType: '' }, ladder);
  expect(await checkListed(library, origin).settled('listed', ladder)).toMatchObject({ state: 'ready' });
  host.files.clear();
  expect(await library.settled('listed', ladder)).toMatchObject({ state: 'ready' });
  expect(await checkListed(library, origin).settled('listed', ladder)).toEqual({
    state: 'failed',
    fault: 'NOT_FOUND',
    reason: naming(404),
  });
  // A conditioned creative does not depend on its host.
  const used: string[] = [];
  const marking = checkListed(library, origin, (id) => used.push(id));
  expect(await marking.settled('two.mp4', ladder)).toEqual(made);
  expect(used).toEqual([made.media.id]);
});

it('requests each segment once for concurrent checks', async () => {
  const { library, origin } = conditioning;
  const checking = checkListed(library, origin);
  host.requested.length = 0;
  await Promise.all(Array.from({ length: 20 }, () => checking.settled('listed', ladder)));
  expect(host.requested).toHaveLength(ladder.rungs.length);
});
