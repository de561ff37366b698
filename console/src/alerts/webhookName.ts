// SPDX-License-Identifier: Apache-2.0
type Webhook = { readonly id: string; readonly description?: string; readonly url?: string };

/** What operators know a webhook by: its description, or where it sends to, which not all of them may read. */
export const webhookName = ({ id, description, url }: Webhook): string =>
  description || url?.replace(/^https?:\/\//, '') || id;
