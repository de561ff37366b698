// SPDX-License-Identifier: Apache-2.0
import type { TextSetting } from '../channels/channelForm.ts';

/** The props of the text field for a setting. @param path the JSON Pointer at which the API reports its errors */
export type ChannelTextField = (
  name: TextSetting,
  path: string,
) => { readonly value: string; readonly error: string | undefined; onInput(value: string): void };
