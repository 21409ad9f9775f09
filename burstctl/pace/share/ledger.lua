-- One turn at the book of who holds which part of the ceiling, as in ledger.py, on the server's time.
-- KEYS[1]: the book. ARGV: permits, period, window, longest lease, longest duration, lock, ahead, most members, the
-- book's time to live in ms, then the ask: its member and its numbers. Replies with the answer's numbers; {0}: other
-- jobs keep to other terms, {1}: too many jobs.
-- Redis 6: what is written follows from the server's time, so effects are replicated and not the script (the default).

local permits, period, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local longest_lease, longest, lock, ahead = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local most_members, ttl_ms, member = tonumber(ARGV[8]), ARGV[9], ARGV[10]
local ask = {}
for i = 11, 21 do ask[i - 10] = tonumber(ARGV[i]) end
local serial, lease, ask_held, wanted, ask_window, window_wanted = ask[1], ask[2], ask[3], ask[4], ask[5], ask[6]
local leaves, ask_base, ask_pause, ask_cut, ask_hold = ask[7], ask[8], ask[9], ask[10], ask[11]
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])

local function clamp(number, least, most) return math.max(least, math.min(most, number)) end

-- A book: {permits, period, window, locked, base, paused, cut serial, cut, hold, free, members by name}; a member:
-- {serial, expires, held, wanted, window, window wanted}.
local function sound(book)
  if type(book) ~= 'table' or type(book[10]) ~= 'table' or type(book[11]) ~= 'table' then return false end
  for i = 1, 9 do if type(book[i]) ~= 'number' then return false end end
  local held, windows, last = 0, 0, -math.huge
  for _, entry in pairs(book[11]) do
    if type(entry) ~= 'table' then return false end
    for i = 1, 6 do if type(entry[i]) ~= 'number' or (i > 2 and entry[i] < 0) then return false end end
    held, windows = held + entry[3], windows + entry[5]
  end
  for _, when in ipairs(book[10]) do
    if type(when) ~= 'number' or when < last then return false end
    last = when
  end
  return held + #book[10] == book[1] and windows <= book[3]
end

local book
local stored = redis.call('GET', KEYS[1])
if stored then
  local ok, value = pcall(cmsgpack.unpack, stored)
  if ok and sound(value) then book = value end
end

local function release(when)
  local free = book[10]
  local place = #free + 1
  while place > 1 and free[place - 1] > when do place = place - 1 end
  table.insert(free, place, when)
end

local function names()
  local list = {}
  for name in pairs(book[11]) do list[#list + 1] = name end
  table.sort(list)
  return list
end

if book then
  for i, when in ipairs(book[10]) do book[10][i] = math.min(when, now + book[2]) end
  for _, name in ipairs(names()) do
    local entry = book[11][name]
    entry[2] = math.min(entry[2], now + longest_lease)
    if entry[2] <= now then
      for _ = 1, entry[3] do release(entry[2] + book[2]) end
      book[11][name] = nil
    end
  end
  local function bound(till, most) return till <= now and 0 or math.min(till, now + most) end
  book[4], book[6], book[9] = bound(book[4], lock), bound(book[6], longest), bound(book[9], longest)
  if book[1] ~= permits or book[2] ~= period or book[3] ~= window then
    if next(book[11]) then return {0} end
    book = nil
  end
end
if not book then
  local free = {}
  for i = 1, permits do free[i] = now + (ask_held > 0 and period or 0) end
  book = {permits, period, window, 0, 0, 0, 0, 0, 0, free, {}}
end
local free, members = book[10], book[11]
local entry = members[member]
local count, others = 0, 0
for name, one in pairs(members) do
  count = count + 1
  if name ~= member then others = others + one[5] end
end

local target, window_target, grants, stale = 0, 0, {}, entry and serial <= entry[1]
if not stale then
  local held = 0
  if entry then
    local released = math.min(#ARGV - 21, entry[3])
    for i = 1, released do release(now + clamp(tonumber(ARGV[21 + i]), 0, period)) end
    held = entry[3] - released
  else
    if count >= most_members then return {1} end
    if ask_held > 0 and count == 0 then book[4] = now + lock end
  end
  for _ = 1, held - ask_held do release(now + period) end
  held = math.min(held, ask_held)
  while held < ask_held and #free > 0 do
    table.remove(free)
    held = held + 1
  end
  entry = {serial, now + clamp(lease, 0, longest_lease), held, clamp(wanted, 0, permits),
    math.max(0, math.min(ask_window, window - others)), clamp(window_wanted, 0, window)}
  members[member] = entry
  if ask_base > 0 and ask_base <= longest and (book[5] == 0 or ask_base < book[5]) then book[5] = ask_base end
  if ask_pause > 0 then book[6] = math.max(book[6], now + math.min(ask_pause, longest)) end
  if ask_cut > 0 then book[7], book[8], book[9] = book[7] + 1, ask_cut, now + math.min(ask_hold, longest) end
  if leaves > 0 then
    for _ = 1, held do release(now + period) end
    entry[3], entry[5] = 0, 0
    members[member] = nil
  else
    local list = names()
    local shift = math.floor(now / math.max(period, 1000000))
    local function fill(total, column)
      local order, parts, left = {}, {}, total
      for i = 1, #list do order[i], parts[i] = i, members[list[i]][column] end
      local function turn(i) return (i - 1 + shift) % #list end
      table.sort(order, function(a, b)
        if parts[a] ~= parts[b] then return parts[a] < parts[b] end
        return turn(a) < turn(b)
      end)
      for behind, i in ipairs(order) do
        local rest = #order - behind + 1
        local level = math.floor(left / rest)
        if parts[i] > level then
          local tail, over = {}, left - level * rest
          for later = behind, #order do tail[#tail + 1] = order[later] end
          table.sort(tail, function(a, b) return turn(a) < turn(b) end)
          for at, j in ipairs(tail) do parts[j] = level + (at <= over and 1 or 0) end
          break
        end
        left = left - parts[i]
      end
      return parts
    end
    local place
    for i, name in ipairs(list) do if name == member then place = i end end
    local targets = fill(permits, 4)
    target, window_target = targets[place], fill(window, 6)[place]
    entry[5] = entry[5] + math.max(0, math.min(window_target - entry[5], window - others - entry[5]))
    if now >= book[4] then
      local short, ready = 0, 0
      for i, name in ipairs(list) do short = short + math.max(0, targets[i] - members[name][3]) end
      while ready < #free and free[ready + 1] <= now + ahead do ready = ready + 1 end
      local own = math.max(0, target - held)
      local granted = math.min(ready, own, math.ceil(ready * own / math.max(1, short)))
      for i = granted - 1, 0, -1 do
        table.insert(grants, 1, table.remove(free, math.floor((2 * i + 1) * ready / (2 * granted)) + 1))
      end
      entry[3] = held + #grants
    end
  end
  redis.call('SET', KEYS[1], cmsgpack.pack(book), 'PX', ttl_ms)
end

local rank, list = 0, names()
for i, name in ipairs(list) do if name == member then rank = i - 1 end end
local reply = {entry[3] - #grants, target, entry[5], window_target, math.max(1, #list), rank, book[5],
  math.max(0, book[6] - now), book[7], book[8], math.max(0, book[9] - now)}
for _, when in ipairs(grants) do reply[#reply + 1] = math.max(0, when - now) end
return reply
