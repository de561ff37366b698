// SPDX-License-Identifier: Apache-2.0
// After G, these keys open the parts of a channel.

/** The keys of the parts of a channel, with a name and the words for which the palette is opened on other pages. */
export const channelKeys = {
  l: ['Live or playback', ''],
  h: ['Schedule', 'schedule '],
  t: ['Try ads', 'try ads '],
  e: ['Settings', 'settings '],
} as const satisfies Readonly<Record<string, readonly [name: string, words: string]>>;
export type ChannelKey = keyof typeof channelKeys;

export const isChannelKey = (key: string): key is ChannelKey => Object.hasOwn(channelKeys, key);
