// SPDX-License-Identifier: Apache-2.0
/** Of a playback URL: its value is a token. Of a session: it is a preview. */
export const PREVIEW_PARAMETER = 'midroll-preview';

/** Whether an operator has opened the session to look at the channel. It is not counted. */
export const isPreviewSession = ({ parameters }: { readonly parameters: Readonly<Record<string, string>> }): boolean =>
  Object.hasOwn(parameters, PREVIEW_PARAMETER);
