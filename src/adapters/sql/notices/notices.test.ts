// SPDX-License-Identifier: Apache-2.0
// The contract of notices: what one process stores, the others are notified of, on SQLite and on PostgreSQL.

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../../test/opened.ts';
import { at, made, requested } from '../../../../test/servers/creativeQueue.ts';
import { onEachDatabase } from '../../../../test/servers/sqlStores.ts';
import { airingOf, channelOf, editionOf, liveFeedOf } from '../../../../test/stores/records.ts';
import { channelKey } from '../../../channels/channelKey.ts';
import { openPostgres, openSqlite } from '../../../database.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { Notice, NoticeSource } from '../../../notices/ports.ts';
import type { ChannelStatus } from '../../../planning/status.ts';
import { sqlTenants } from '../../../platform/access/store/sqlTenants.ts';
import { ownSystem } from '../../../platform/systems/rules/system.ts';
import { sqlPublications } from '../../../platform/systems/store/sqlPublications.ts';
import { sqlSystems } from '../../../platform/systems/store/sqlSystems.ts';
import { millis } from '../../../time/units.ts';
import { createSystemClock } from '../../systemClock.ts';
import { sqlAirings } from '../channels/sqlAirings.ts';
import { sqlChannelStatuses } from '../channels/sqlChannelStatuses.ts';
import { channelColumns, sqlChannels } from '../channels/sqlChannels.ts';
import { sqlCreatives } from '../creatives/sqlCreatives.ts';
import { sqlLiveFeeds } from '../live/sqlLiveFeeds.ts';
import { createSecretBox } from '../secrets/secretBox.ts';
import type { Sql } from '../sql.ts';
import { openNotices } from './openNotices.ts';

const clock = createSystemClock();
const status = (stateReason: string): ChannelStatus => ({ state: 'enabled', stateReason, items: [] });

onEachDatabase((postgresUrl) => {
  const folder = scratchFolder();
  let writer: Sql;
  let reader: Sql;
  let source: NoticeSource;
  let heard: Notice[] = [];
  let losses: string[] = [];
  const open = () => (postgresUrl === undefined ? openSqlite(folder) : openPostgres(postgresUrl));
  beforeAll(async () => {
    writer = await open();
    reader = await open();
    source = await openNotices(reader, { ...withoutUndefined({ DATABASE_URL: postgresUrl }), DATA_DIR: folder }, clock);
    source.start({ notice: (one) => void heard.push(one), lost: () => void losses.push('lost') });
    await vi.waitFor(async () => expect(await source.catchUp()).toBeUndefined(), 60_000);
    losses = [];
  });
  afterEach(() => {
    heard = [];
    losses = [];
  });
  afterAll(async () => {
    await source.stop();
    await Promise.all([writer.close(), reader.close()]);
  });
  /** What has been announced when a check has passed. */
  async function announced(): Promise<string[]> {
    expect(await source.catchUp()).toBeUndefined();
    const found = heard.map(({ topic, key }) => `${topic} ${key}`);
    heard = [];
    return found;
  }

  test('channels that are created, edited, and deleted are announced under their key', async () => {
    const channels = sqlChannels(writer);
    await channels.insert(channelOf('one'));
    const key = `channels ${channelKey(channelOf('one'))}`;
    expect(await announced()).toEqual([key]);
    expect(await channels.replace({ ...channelOf('one'), playlistSize: 90, version: 0 })).toBe('stored');
    expect(await announced()).toEqual([key]);
    expect(await channels.replace({ ...channelOf('one'), version: 0 })).toBe('changed');
    expect(await announced()).toEqual([]);
    await channels.remove('acme', 'one');
    expect(await announced()).toEqual([key]);
  });

  test('what goes on air, changes there and ends is announced', async () => {
    const airings = sqlAirings(writer);
    await airings.begin(airingOf('aired', 'l1'), [editionOf('l1', 0)]);
    expect(new Set(await announced())).toEqual(new Set(['schedules l1']));
    await airings.append([editionOf('l1', 1)], [0]);
    expect(await announced()).toEqual(['schedules l1']);
    await airings.end({ tenant: 'acme', id: 'aired' });
    expect(await announced()).toEqual(['schedules l1']);
    await sqlLiveFeeds(writer).begin(liveFeedOf('fed', 'f1'));
    await sqlLiveFeeds(writer).endLife('f1');
    expect(await announced()).toContain('schedules f1');
  });

  test('a status is announced when it changes, and a heartbeat is not', async () => {
    const statuses = sqlChannelStatuses(writer);
    const one = { tenant: 'acme', id: 'one' };
    await statuses.put(one, status('prepared'), millis(1));
    expect(await announced()).toEqual(['statuses acme/one']);
    await statuses.put(one, status('prepared'), millis(2));
    expect(await announced()).toEqual([]);
    await statuses.put(one, status('failed'), millis(3));
    await statuses.remove(one);
    // Notices with equal texts in different transactions are two.
    expect(await announced()).toEqual(['statuses acme/one', 'statuses acme/one']);
  });

  test('creatives that are made, have failed, are retried or deleted are announced, and jobs in progress are not', async () => {
    const jobs = sqlCreatives(writer);
    await jobs.enqueue([requested('spot')], at(10));
    await jobs.take('l1', at(20), at(1000), 3);
    await jobs.renew('l1', at(2000));
    expect(await announced()).toEqual([]);
    const failure = { fault: 'NOT_FETCHED', reason: 'returned status 404', dueAt: at(1000) } as const;
    await jobs.finish('l1', { state: 'failed', ...failure }, at(30));
    expect(await announced()).toEqual(['creatives spot']);
    await jobs.retry('acme', 'spot', at(40));
    expect(await announced()).toEqual(['creatives spot']);
    await jobs.take('l2', at(50), at(1000), 3);
    await jobs.finish('l2', { state: 'ready', made }, at(60));
    expect(await announced()).toEqual(['creatives spot']);
    await jobs.remove('acme', 'spot');
    expect(await announced()).toEqual(['creatives spot']);
  });

  test('changes and deletions of distributors are announced, with their channel', async () => {
    const row = { tenant: 'acme', channel_id: 'one', id: 'roku', version: 0, body: '{}' };
    await writer.db.insertInto('distributors').values(row).execute();
    expect(await announced()).toEqual([]);
    await writer.db.updateTable('distributors').set({ version: 1 }).execute();
    expect(await announced()).toEqual(['distributors acme/one']);
    await writer.db.deleteFrom('distributors').execute();
    expect(await announced()).toEqual(['distributors acme/one']);
  });

  test('systems and publications are announced', async () => {
    const systems = sqlSystems(writer, createSecretBox('a secret'));
    const system = ownSystem('acme', 'ann@example.com', new Date(0).toISOString());
    await systems.insert(system);
    expect(await announced()).toEqual([`systems acme/${system.id}`]);
    const publications = sqlPublications(writer);
    const one = { location: 'https://storage.test/ads', edition: 'e1', frames: 25 };
    await publications.want(one, at(1));
    expect(await announced()).toEqual([]);
    const [row] = await publications.due([one.location], at(2), 1);
    await publications.settle(row!, { state: 'published' });
    expect(await announced()).toEqual(['publications e1']);
    const { location } = one;
    await publications.noteState({ location, checkedAt: at(1) });
    await publications.noteState({ location, checkedAt: at(2) });
    await publications.noteState({ location, checkedAt: at(3), reason: 'returned status 403' });
    expect(await announced()).toEqual([`publications ${location}`, `publications ${location}`]);
  });

  test('the records of a deleted tenant are announced', async () => {
    const systems = sqlSystems(writer, createSecretBox('a secret'));
    const tenants = sqlTenants(writer, systems);
    const createdAt = new Date(0).toISOString();
    await tenants.create({ name: 'globex', createdAt, createdBy: 'bob' }, ownSystem('globex', 'bob', createdAt));
    await sqlChannels(writer).insert({ ...channelOf('gone'), tenant: 'globex' });
    await announced();
    await tenants.remove('globex');
    expect(await announced()).toContain('channels globex/gone');
  });

  test('a transaction that fails is not announced', async () => {
    await sqlChannels(writer).insert(channelOf('once'));
    await announced();
    const again = { ...channelColumns(channelOf('twice')), tenant: 'acme', id: 'twice', version: 0, body: '{}' };
    const statements = [1, 2].map(() => writer.db.insertInto('channels').values(again));
    await expect(writer.atomically(statements)).rejects.toThrow();
    expect(await announced()).toEqual([]);
  });

  test('a key of any length does not make the write fail', async () => {
    await sqlChannelStatuses(writer).put({ tenant: 'acme', id: 'ü'.repeat(20_000) }, status('long'), millis(1));
    const [notice] = await announced();
    expect(notice!.length).toBeLessThan(1100);
  });

  test('a notice contains when the record was changed', async () => {
    const before = Date.now();
    await sqlChannelStatuses(writer).put({ tenant: 'acme', id: 'timed' }, status('now'), millis(1));
    const after = Date.now();
    expect(await source.catchUp()).toBeUndefined();
    expect(heard).toHaveLength(1);
    // The clock of the server is estimated.
    expect(heard[0]!.at).toBeGreaterThanOrEqual(before - 1000);
    expect(heard[0]!.at).toBeLessThanOrEqual(after + 1000);
  });

  test('of a storm of changes in one transaction, all are announced or the loss is', async () => {
    const row = { tenant: 'acme', at: 1, is_preparing: 0, has_failed: 0, body: '{}', items: '[]' };
    const ids = Array.from({ length: 5000 }, (_, index) => `storm${index}`);
    await writer.atomically(
      ids.map((id) => writer.db.insertInto('channel_statuses').values({ ...row, channel_id: id })),
    );
    const found = new Set(await announced());
    expect(losses.length > 0 || ids.every((id) => found.has(`statuses acme/${id}`))).toBe(true);
    await sqlChannelStatuses(writer).remove({ tenant: 'acme', id: 'storm1' });
    expect(await announced()).toEqual(['statuses acme/storm1']);
  });

  test('three hundred checks in a row find the notice of the write before', async () => {
    const statuses = sqlChannelStatuses(writer);
    for (let round = 0; round < 300; round += 1) {
      await statuses.put({ tenant: 'acme', id: 'round' }, status(String(round)), millis(10 + round));
      expect(await announced()).toEqual(['statuses acme/round']);
    }
  });
});
