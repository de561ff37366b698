// SPDX-License-Identifier: Apache-2.0
// The parts of the channel that is shown, for the keys that open them.
import { useEffect } from 'preact/hooks';

/** The paths of the parts of the channel that is shown. */
let shown: Partial<Readonly<Record<ChannelKey, string>>> | undefined;

/** @returns undefined on other pages, and for a part that the channel does not have */
export const channelPath = (key: ChannelKey): string | undefined => shown?.[key];
export const isChannelShown = (): boolean => shown !== undefined;

/** The page of a channel has these parts. */
export function useChannelKeys(paths: Partial<Readonly<Record<ChannelKey, string>>>): void {
  useEffect(() => {
    shown = paths;
    return () => {
      if (shown === paths) shown = undefined;
    };
  });
}

// After G, these keys open the parts of a channel.

/** The keys of the parts of a channel, with a name and the words for which the palette is opened on other pages. */
export const channelKeys = {
  l: ['Live or playback', ''],
  h: ['Schedule', 'schedule '],
  w: ['Programme', 'programme '],
  t: ['Try ads', 'try ads '],
  e: ['Settings', 'settings '],
} as const satisfies Readonly<Record<string, readonly [name: string, words: string]>>;
type ChannelKey = keyof typeof channelKeys;

export const isChannelKey = (key: string): key is ChannelKey => Object.hasOwn(channelKeys, key);
