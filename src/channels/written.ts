// SPDX-License-Identifier: Apache-2.0

/** What every record has that an operator writes. */
export type Written = {
  readonly id: string;
  readonly tenant: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly modifiedBy?: string;
  readonly modifiedAt?: string;
};
