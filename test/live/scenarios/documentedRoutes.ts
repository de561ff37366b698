// SPDX-License-Identifier: Apache-2.0
// Each route of the live port responds as the OpenAPI document states.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { liveRoutes } from '../../../src/http/admin/documentation/live/liveRoutes.ts';
import { schemaFaults } from '../../../src/http/admin/request/validate.ts';
import { airVod, openVod } from '../../vod/watchVod.ts';
import { adSource, item, type Stage } from '../stage.ts';

const CHANNEL = 'documented';
const trackedSegment = /^(\d+-\d+-\d+)\/([^/]+)\/(\d+)\/([^/]+)\/([^/]+)$/;

/** The operations for a rung of the viewer. */
const ofRungs = [
  'getMediaPlaylist',
  'getChannelMediaPlaylist',
  'getGuidedMediaPlaylist',
  'getClipMediaPlaylist',
  'getDistributorMediaPlaylist',
];

const breakOf = (adId: string): string => adId.slice(0, adId.lastIndexOf('-'));

const documentedFeed = (video: string): string =>
  `<rss xmlns:media="http://search.yahoo.com/mrss/"><channel><item><media:content url="${video}"/></item></channel></rss>`;

export async function routesRespondAsDocumented(stage: Stage): Promise<void> {
  const { adHost, midroll } = stage;
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(4)]);
  adHost.offer('/documented', () => [{ id: 'spot', seconds: 4, url: spot }]);
  await stage.air(CHANNEL, [item(video, { spliceTime: 4, maxDuration: 6 })], {
    ...{ adSource: adSource(adHost, '/documented'), confirmations: true, timeShiftWindow: 60 },
  });
  const viewer = await stage.watch(CHANNEL);
  const shown = () => [...viewer.media.keys()].flatMap((uri) => trackedSegment.exec(uri) ?? []);
  await viewer.until('an ad is downloaded', () => shown().length > 0);
  const [, adId, media, frames, rung, segment] = shown() as string[];
  const params: Readonly<Record<string, string>> = {
    ...{ channelId: CHANNEL, sessionId: viewer.session },
    ...{ adId: adId!, media: media!, frames: frames!, rung: rung!, segment: segment! },
  };
  const { key } = await stage.api('POST', `/channels/${CHANNEL}/distributors`, { name: 'Documented' });
  const redirect = await fetch(
    `${midroll.liveUrl}/hls/${CHANNEL}/${viewer.session}/${adId}/${media}/${frames}/${rung}/${segment}`,
    { redirect: 'manual' },
  );
  const shared = redirect.headers.get('location')!.split('/').slice(-4);
  await airVod(stage, 'documented-film', [item(video, { spliceTime: 4, maxDuration: 6 })]);
  const film = await openVod(stage, 'documented-film', { query: 'insertion=guided' });
  const own = { rung: viewer.rungs[0], breakId: breakOf(adId!), clip: `${breakOf(adId!)}-0` };
  const others: Readonly<Record<string, object>> = {
    ...Object.fromEntries(ofRungs.map((operation) => [operation, own])),
    getGuidedVodPlaylist: { ...own, channelId: 'documented-film', sessionId: film.sessionId },
    getSegment: { media: shared[0], frames: shared[1], rung: shared[2], segment: shared[3] },
  };
  await stage.midroll.create('channels', {
    ...{ id: 'documented-feed', type: 'vod', state: 'enabled', apiKey: 'key' },
    contentHosts: [new URL(video).host],
  });
  writeFileSync(join(stage.origin.folder, 'documented.xml'), documentedFeed(video));
  const ofFeed = { channelId: 'documented-feed' };
  const bodies: Readonly<Record<string, object>> = {
    openFeed: { url: `${stage.origin.url}/documented.xml`, deliverytypes: ['dash'] },
  };
  for (const { path, method, operationId, query, body, example = {}, response, alternatives } of liveRoutes) {
    const sid = query?.properties.sid === undefined ? {} : { sid: viewer.session };
    const given = example.query && `?${new URLSearchParams({ ...(example.query as Record<string, string>), ...sid })}`;
    const search = query?.properties['api-key'] === undefined ? (given ?? '') : '?api-key=key&start=-10&device=tv';
    const parts: Readonly<Record<string, string>> = {
      ...params,
      key,
      breakId: own.breakId,
      clip: own.clip,
      ...others[operationId],
      ...(operationId === 'openFeed' ? ofFeed : {}),
    };
    const filled = path.replace(/:(\w+)/g, (_, name) => parts[name]!);
    const reply = await fetch(midroll.liveUrl + filled + search, {
      ...{ method, redirect: 'manual', headers: { 'api-key': 'key' } },
      ...(body === undefined ? {} : { body: JSON.stringify(bodies[operationId] ?? example.body) }),
    });
    const documented = [String(response.status), ...Object.keys(alternatives ?? {})];
    expect(documented, operationId).toContain(String(reply.status));
    if (reply.status !== response.status) continue;
    const type = reply.headers.get('content-type')?.split(';')[0];
    if (response.text) expect([operationId, ...response.text]).toContain(type);
    for (const name of Object.keys(response.headers ?? {})) expect(reply.headers.get(name)).toBeTruthy();
    const bytes = await reply.text();
    if (response.schema) {
      expect(bytes, operationId).toMatch(/[\]}]\n$/);
      expect([operationId, schemaFaults(response.schema, JSON.parse(bytes))]).toEqual([operationId, []]);
    }
  }
}
