// SPDX-License-Identifier: Apache-2.0
import type { ChannelForm } from './channelForm.ts';

/** Who inserts the ads of a channel. */
export const insertionNames: Readonly<Record<ChannelForm['insertion'], string>> = {
  stitched: 'Stitched',
  guided: 'Guided',
  auto: 'Automatic',
};
