#!/usr/bin/env bash
# Makes echarts.js, the parts of Apache ECharts that entry.js names, and LICENSE, the licences of what is in it.
# It needs npm and the network, and is run by hand when the version changes: ./build.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
echarts=6.1.0
esbuild=0.28.2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here/entry.js" .
npm install --silent --no-audit --no-fund "echarts@$echarts" "esbuild@$esbuild"
npx esbuild entry.js --bundle --minify --format=iife --global-name=echarts --legal-comments=none \
    --define:process.env.NODE_ENV='"production"' --outfile="$here/echarts.js"
shopt -s nullglob
{
    echo "Apache ECharts $echarts, of which echarts.js is made, and what it is made of itself."
    for package in echarts zrender tslib; do
        printf '\n\n======== %s ========\n\n' "$package"
        cat "node_modules/$package"/NOTICE* "node_modules/$package"/LICENSE*
    done
    printf '\n\n======== d3 (in echarts) ========\n\n'
    cat node_modules/echarts/licenses/LICENSE-d3
} | tr -d '\r' >"$here/LICENSE"
