// SPDX-License-Identifier: Apache-2.0

export const EXIT = { success: 0, failure: 1, usage: 2 } as const;
