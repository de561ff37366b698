// SPDX-License-Identifier: Apache-2.0
/** An error that the user can fix; its message is shown as it is. */
export class CommandError extends Error {}
