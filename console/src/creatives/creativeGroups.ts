// SPDX-License-Identifier: Apache-2.0
// A creative is an asset for each ladder. Pages show it once.

import { sourceName } from '../../../src/channels/sourceName.ts';
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { groupBy, type NonEmpty } from '../../../src/invariant.ts';

/** The assets of one creative or slate: of each of its ladders, in the order of the list. */
export type CreativeGroup = NonEmpty<AssetResponse>;

/** The most important first. */
const states: readonly AssetResponse['state'][] = ['failed', 'failing', 'preparing', 'waiting', 'ready'];

export const creativeName = ({ kind, source, title }: AssetResponse): string =>
  title ?? (source === undefined ? (kind === 'slate' ? 'Built-in slate' : 'Creative') : sourceName(source));

/** Ad servers may name other files for other ladders. */
const keyOf = ({ kind, adId, creativeId, source }: AssetResponse): string =>
  JSON.stringify(creativeId === undefined ? [kind, source] : [kind, creativeId, adId]);

export const groupCreatives = (assets: readonly AssetResponse[]): CreativeGroup[] => [
  ...groupBy(assets, keyOf).values(),
];

/** The asset that the creative is shown as: one that is not ready, if there is any. */
export const leadOf = (group: CreativeGroup): AssetResponse =>
  group.reduce((lead, asset) => (states.indexOf(asset.state) < states.indexOf(lead.state) ? asset : lead));
