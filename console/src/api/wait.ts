// SPDX-License-Identifier: Apache-2.0
/** @throws the abort reason when `signal` is aborted by the time it resolves */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  signal?.throwIfAborted();
}
