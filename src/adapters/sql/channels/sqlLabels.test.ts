// SPDX-License-Identifier: Apache-2.0
// Labels as filters of lists, and which are in use.

import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { seededRandom } from '../../../../test/seededRandom.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { channelOf, written } from '../../../../test/stores/records.ts';
import type { Channel } from '../../../channels/channel.ts';
import { MAX_LABEL, MAX_LABELS } from '../../../channels/labels.ts';
import type { Playlist } from '../../../channels/playlist.ts';
import { sqlChannels } from './sqlChannels.ts';
import { sqlPlaylists } from './sqlPlaylists.ts';

const channel = (id: string, fields: Partial<Channel> = {}, tenant = 'acme') =>
  channelOf(id, { type: 'vod2live', tenant, apiKey: `key of ${tenant}`, ...fields });
const playlist = (id: string, labels: string[] = []): Playlist => {
  const own = { id, tenant: 'acme', status: 'enabled', contents: [], labels } as const;
  return { ...written, ...own };
};
const page = { offset: 0, limit: 100 };

onEachOpenStore((store) => {
  const channels = sqlChannels(store);
  const playlists = sqlPlaylists(store);
  beforeEach(async () => {
    for (const table of ['channels', 'playlists'] as const) await store.db.deleteFrom(table).execute();
  });
  const listed = async (labels: string[], more = {}) =>
    (await channels.list('acme', { ...page, labels, ...more })).items.map(({ id }) => id).sort();

  test('channels are found by their labels and those of their ad source, in any case, and by whole labels only', async () => {
    await channels.insert(channel('a', { labels: ['Sports', 'Süd/Ost'] }));
    await channels.insert(channel('b', { labels: ['sport'], adSource: { url: 'http://ads', labels: ['SPORTS'] } }));
    await channels.insert(channel('c', { name: 'sports' }));
    await channels.insert(channel('d', { labels: ['Sports'] }, 'globex'));
    expect(await listed(['sPORTs'])).toEqual(['a', 'b']);
    expect(await listed(['süd/ost', 'sport'])).toEqual(['a', 'b']);
    expect(await listed(['süd/ost', 'sport'], { search: 'A' })).toEqual(['a']);
    expect(await listed(['sports'], { ids: ['b', 'c'] })).toEqual(['b']);
    expect(await listed(['sports'], { ids: [] })).toEqual([]);
    expect(await listed([])).toEqual(['a', 'b', 'c']);
    for (const none of ['ports', 'sports\nsport', '%', "'", '\0', 'nothing']) expect(await listed([none])).toEqual([]);
    expect(await channels.labelled('acme', ['sports'])).toEqual(['a', 'b']);
    expect(await channels.labels('acme')).toEqual([
      { label: 'sport', count: 1 },
      { label: 'Sports', count: 2 },
      { label: 'Süd/Ost', count: 1 },
    ]);
    expect(await channels.labels('acme', ['b'])).toEqual([
      { label: 'sport', count: 1 },
      { label: 'SPORTS', count: 1 },
    ]);
    expect(await channels.labels('acme', [])).toEqual([]);
  });

  test('a change of labels applies to the lists at once', async () => {
    await channels.insert(channel('a', { labels: ['old'] }));
    await channels.replace({ ...channel('a', { labels: ['new'] }), version: 0 });
    expect([await listed(['old']), await listed(['new'])]).toEqual([[], ['a']]);
    await channels.replace({ ...channel('a'), version: 1 });
    expect([await listed(['new']), await channels.labels('acme')]).toEqual([[], []]);
  });

  test('a record can have the most and the longest labels', async () => {
    const random = seededRandom(1);
    const letters = (length: number) =>
      Array.from({ length }, () => String.fromCodePoint(0x20000 + Math.floor(random() * 0xa000))).join('');
    const longest = () => Array.from({ length: MAX_LABELS }, () => letters(MAX_LABEL));
    const labels = longest();
    const adSource = { url: 'http://ads', labels: longest() };
    await channels.insert(channel('a', { name: letters(500), labels, adSource }));
    await playlists.insert({ ...playlist('p', labels), name: letters(500) });
    expect(await channels.labelled('acme', adSource.labels.slice(-1))).toEqual(['a']);
    expect((await playlists.list('acme', { ...page, labels: labels.slice(-1) })).total).toBe(1);
  });

  test('a list by labels reads the index, not the bodies of all records', async () => {
    await playlists.insert(playlist('labelled', ['news']));
    const rows = Array.from({ length: 2000 }, (_, index) => playlist(`p${index}`, index % 50 === 0 ? ['x'] : []));
    for (const row of rows) await playlists.insert(row);
    const { items, total } = await playlists.list('acme', { ...page, labels: ['NEWS'] });
    expect([items.map(({ id }) => id), total]).toEqual([['labelled'], 1]);
    if (store.kind !== 'sqlite') return;
    const plan = await sql<{ detail: string }>`explain query plan select count(*) from playlists
      where tenant = 'acme' and (labels is not null and instr(labels, 'x') > 0)`.execute(store.db);
    expect(plan.rows.map(({ detail }) => detail).join()).toContain('COVERING INDEX playlists_by_label');
  });
});
