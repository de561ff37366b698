// SPDX-License-Identifier: Apache-2.0
// The enabled channels, which every process reads once a second.
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { channelOf } from '../../../../test/stores/records.ts';
import type { Channel } from '../../../channels/channel.ts';
import { sqlChannels } from './sqlChannels.ts';

const channel = (id: string, state: Channel['state'] = 'enabled') => channelOf(id, { state });

onEachOpenStore((sql) => {
  test('enabled channels are the stored ones, and those that have not changed are not decoded again', async () => {
    const channels = sqlChannels(sql);
    for (const one of [channel('a'), channel('b'), channel('off', 'disabled')]) await channels.insert(one);
    const [a, b, ...none] = await channels.enabled();
    expect([a, b, none]).toEqual([{ ...channel('a'), version: 0 }, { ...channel('b'), version: 0 }, []]);

    await channels.replace({ ...b!, playlistSize: 60 });
    const after = await channels.enabled();
    expect(after).toEqual([a, { ...b, playlistSize: 60, version: 1 }]);
    expect(after[0]).toBe(a);

    // The same text under another version.
    await channels.replace({ ...after[0]! });
    expect(await channels.enabled()).toEqual([{ ...a, version: 1 }, after[1]]);
    await channels.replace({ ...after[1]!, state: 'disabled' });
    await channels.remove('acme', 'a');
    expect(await channels.enabled()).toEqual([]);
    await channels.insert(channel('a'));
    expect(await channels.enabled()).toEqual([a]);
  });
});
