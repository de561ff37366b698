// SPDX-License-Identifier: Apache-2.0
import type { ChannelForm } from './channelForm.ts';

/** How breaks are marked for those who replace them downstream. */
export const markerNames: Readonly<Record<ChannelForm['markersOut'], string>> = {
  none: 'None',
  daterange: 'Date ranges',
  cue: 'CUE tags',
  both: 'Date ranges and CUE tags',
};
