// SPDX-License-Identifier: Apache-2.0
module midroll-example

go 1.24
