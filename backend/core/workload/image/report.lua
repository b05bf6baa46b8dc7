-- Prints what wrk measured as one line: "PLIMSOLL " and a JSON object, after wrk's own report.
--
-- Only done() is defined: with request() or response() here, wrk would run Lua for every request.
-- The latencies are those that wrk itself reports: it adds samples for requests that it could not send
-- while it waited (stats_correct in wrk's stats.c), so `histogram` may count more than `requests`.

local ffi = require("ffi")

local MOST_BINS = 2000
local NONE = "null"

-- wrk 4.x, stats.h: how often each whole microsecond was seen.
ffi.cdef("typedef struct { uint64_t count, limit, min, max, data[1]; } wrk_stats;")

-- A number as JSON; a value that is not finite, which JSON does not know, becomes null.
local function json(value, form)
  if value ~= value or value == math.huge or value == -math.huge then
    return NONE
  end
  return string.format(form or "%.0f", value)
end

-- Answers the bin of a value: every value its own where they are few enough, otherwise bins whose
-- borders grow by one factor, so that the error relative to the value is the same everywhere.
local function binning(latency)
  if #latency <= MOST_BINS then
    return function(value) return value end
  end
  local low = math.log(math.max(latency.min, 1))
  local width = (math.log(latency.max) - low) / MOST_BINS
  return function(value)
    return math.min(math.floor((math.log(math.max(value, 1)) - low) / width), MOST_BINS - 1)
  end
end

-- An iterator over (microseconds, how often seen), ascending. latency(index) would do, but searches from
-- the minimum at each call: after one stall of a second that took 40 s of CPU, and this takes none. Where
-- the structure is not the known one, the slow way is still right.
local function samples(latency)
  local stats = ffi.cast("wrk_stats **", latency)[0]
  if tonumber(stats.min) ~= latency.min or tonumber(stats.max) ~= latency.max or stats.max >= stats.limit then
    local index = 0
    return function()
      index = index + 1
      if index <= #latency then return latency(index) end
    end
  end
  local value, last = latency.min - 1, latency.max
  return function()
    repeat value = value + 1 until value > last or stats.data[value] ~= 0
    if value <= last then return value, tonumber(stats.data[value]) end
  end
end

-- Pairs of a value in microseconds and how often it was seen, ascending. A merged bin stands at the mean
-- of what it holds, to the whole microsecond: that is between its members, so the order stays strict.
local function histogram(latency)
  local bins, bin, sum, count = {}, nil, 0, 0
  local function close()
    if count > 0 then
      bins[#bins + 1] = string.format("[%.0f,%.0f]", math.floor(sum / count + 0.5), count)
    end
  end
  if #latency > 0 then
    local bin_of = binning(latency)
    for value, times in samples(latency) do
      local next_bin = bin_of(value)
      if next_bin ~= bin then
        close()
        bin, sum, count = next_bin, 0, 0
      end
      sum, count = sum + value * times, count + times
    end
    close()
  end
  return "[" .. table.concat(bins, ",") .. "]"
end

-- With no sample at all wrk's minimum is the largest integer and its mean is 0: nothing is what it means.
local function statistics(latency)
  if #latency == 0 then
    return NONE
  end
  return table.concat({
    '{"min":' .. json(latency.min),
    '"max":' .. json(latency.max),
    '"mean":' .. json(latency.mean, "%.3f"),
    '"stdev":' .. json(latency.stdev, "%.3f"),
    '"p50":' .. json(latency:percentile(50)),
    '"p75":' .. json(latency:percentile(75)),
    '"p90":' .. json(latency:percentile(90)),
    '"p99":' .. json(latency:percentile(99)),
    '"p999":' .. json(latency:percentile(99.9)) .. "}",
  }, ",")
end

function done(summary, latency, requests)
  local errors = summary.errors
  local counts = {}
  for _, kind in ipairs({ "connect", "read", "write", "status", "timeout" }) do
    counts[#counts + 1] = string.format('"%s":%s', kind, json(errors[kind]))
  end
  io.write("PLIMSOLL {", table.concat({
    '"duration_us":' .. json(summary.duration),
    '"requests":' .. json(summary.requests),
    '"bytes":' .. json(summary.bytes),
    '"errors":{' .. table.concat(counts, ",") .. "}",
    '"latency_us":' .. statistics(latency),
    '"histogram":' .. histogram(latency),
  }, ","), "}\n")
end
