// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test } from 'vitest';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, manifest, variant } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { flicksToSeconds } from '../../time/units.ts';
import { packAsset, unpackAsset } from '../package/packAsset.ts';

const { server, put, imported, plain } = importing();
beforeAll(() => encodeTestVideo(server()));

describe('the chapters of an asset', () => {
  const withData = async (...attributes: string[]) => {
    const data = attributes.map((each) => `#EXT-X-SESSION-DATA:DATA-ID="com.apple.hls.chapters",${each}`);
    put('/asset.m3u8', manifest('#EXT-X-DEFINE:NAME="name",VALUE="chapters"', ...data, variant(1, 'v.m3u8')));
    const { chapters, ...asset } = await imported('/asset.m3u8');
    const known = unpackAsset(packAsset({ ...asset, ...(chapters && { chapters }) }))?.chapters;
    return { chapters: known?.map(flicksToSeconds), warnings: asset.warnings.map(plain) };
  };
  const read = (json: string) => {
    put('/chapters.json', json);
    return withData('URI="{$name}.json?t=1"');
  };

  test('are where the JSON of the manifest states, in order, within the asset', async () => {
    const starts = [1.5, 0, 1.5, -1, '2', 1e9, 3];
    const json = JSON.stringify([...starts.map((start) => ({ 'start-time': start, titles: [] })), null, {}]);
    expect(await read(json)).toEqual({ chapters: [0, 1.5, 3], warnings: [] });
  });

  test.each(['', '{"start-time":1}', '[{"start-time":1', '[]', '[{"start":1}]'])('are absent in %j', async (json) => {
    expect(await read(json)).toEqual({ warnings: [naming('/chapters.json')] });
  });

  test('are absent if there is none, or if they cannot be read', async () => {
    expect(await withData()).toEqual({ warnings: [] });
    expect(await withData('URI="gone.json"')).toEqual({ warnings: [naming('/gone.json', 404)] });
    expect(await withData('VALUE="x"')).toEqual({ warnings: [naming(3, 'URI')] });
    expect(await withData('URI="{$unknown}.json"')).toEqual({ warnings: [naming('unknown')] });
    expect(await withData('URI="skd://x"')).toEqual({ warnings: [] });
    expect(await withData('DATA-ID="other",URI="chapters.json"')).toEqual({ warnings: [] });
  });
});
