// SPDX-License-Identifier: Apache-2.0
// Reads a live origin for a feed, in the format of the feed.
import type { LiveFeed } from '../../live/feed.ts';
import type { OriginReader } from '../../live/ports.ts';
import { createDashOriginReader } from './dash/createDashOriginReader.ts';
import { createHlsOriginReader } from './hls/createHlsOriginReader.ts';

type Options = Parameters<typeof createHlsOriginReader>[0] & { readonly feed: Pick<LiveFeed, 'format'> };

export const createOriginReader = (options: Options): OriginReader =>
  options.feed.format === 'hls' ? createHlsOriginReader(options) : createDashOriginReader(options);
