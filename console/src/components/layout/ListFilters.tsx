// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import './listFilters.css';

/** Search, filters and order of a list, in a row. */
export const ListFilters = ({ children }: { readonly children: ComponentChildren }) => (
  <search class="list-filters">{children}</search>
);
