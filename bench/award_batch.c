/* The award of many units in C: the rule and the results of src/tallyroom/award/batch_kernel.py, to measure it against.

   Built by bench/award_batch.py with cc -O3 -march=native. It checks the same contract; lots are left open.
   facts: outcome, number, why, tie, take, at, at_of, needs_majority, short. marks: viable 1, tied 2, realigns 8. */

#include <stdint.h>
#include <string.h>

enum { OUTCOME, NUMBER, WHY, TIE, TAKE, AT, AT_OF, NEEDS_MAJORITY, SHORT, FACTS };
enum { MINIMUM, DOWN, SMALLEST_REALIGNS, TIE_BY_LOT, CYCLIC, BY_LOT, MAJORITY, CAUCUS_VOTE };
enum { AWARDED, LOTS_NEEDED, MUST_REALIGN, NO_VIABLE_GROUP };
enum { NOBODY_VIABLE = 1, NOBODY_PRESENT, NO_MAJORITY, CAUCUS_VOTES };
enum { GAIN = 1, LOSE, REALIGN };
enum { VIABLE = 1, TIED = 2, REALIGNS = 8 };
enum { MOST_GROUPS = 64, COUNT_LIMIT = 10000000, DELEGATES_LIMIT = 10001 };

typedef int64_t i64;

typedef struct {
    i64 groups, who[MOST_GROUPS], held[MOST_GROUPS], left[MOST_GROUPS];
    i64 *facts;
    uint8_t *marks;
} Count;

static void open_tie(i64 *facts, i64 kind, i64 take, i64 at, i64 at_of)
{
    facts[OUTCOME] = LOTS_NEEDED;
    facts[TIE] = kind;
    facts[TAKE] = take;
    facts[AT] = at;
    facts[AT_OF] = at_of;
}

/* Move one for each at `at` who holds more than `above`; 0 if only lots can say for whom. */
static i64 move(Count *c, i64 kind, i64 at_most, i64 tied, i64 at, i64 above, i64 step, i64 present)
{
    i64 amount = kind == GAIN ? 1 : -1;
    for (i64 k = 0; k < c->groups; k++)
        if (c->left[k] == at && c->held[k] > above) {
            if (tied > at_most) {
                c->marks[c->who[k]] |= TIED;
            } else {
                c->held[k] += amount;
                c->left[k] -= amount * step;
            }
        }
    if (tied <= at_most)
        return tied;
    open_tie(c->facts, kind, at_most, at, present);
    return 0;
}

static void take_away(Count *c, const i64 *rule, i64 electing, i64 present, i64 over)
{
    i64 minimum = rule[MINIMUM];
    while (over > 0) {
        i64 able = 0, tied = 0, lowest = INT64_MAX, spare = INT64_MAX;
        for (i64 k = 0; k < c->groups; k++)
            if (c->held[k] > minimum) {
                i64 more = c->held[k] - minimum;
                if (c->left[k] < lowest)
                    lowest = c->left[k], tied = 0;
                tied += c->left[k] == lowest;
                spare = more < spare ? more : spare;
                able++;
            }
        if (over > electing && over >= able) {
            i64 rounds = over / able < spare ? over / able : spare;
            for (i64 k = 0; k < c->groups; k++)
                if (c->held[k] > minimum) {
                    c->held[k] -= rounds;
                    c->left[k] += rounds * present;
                }
            over -= rounds * able;
            continue;
        }
        i64 moved = move(c, LOSE, over, tied, lowest, minimum, present, present);
        if (!moved)
            return;
        over -= moved;
    }
}

static void cycle(Count *c, const i64 *rule, i64 present, i64 missing)
{
    for (i64 k = 0; k < c->groups; k++) {
        i64 exact = c->held[k] * present + c->left[k], whole = exact / present;
        whole = whole < rule[MINIMUM] ? rule[MINIMUM] : whole;
        missing += c->held[k] - whole;
        c->held[k] = whole;
        c->left[k] = exact - whole * present;
    }
    i64 last = INT64_MAX;
    while (missing > 0) {
        i64 highest = INT64_MIN, tied = 0;
        for (i64 k = 0; k < c->groups; k++)
            if (c->left[k] < last) {
                if (c->left[k] > highest)
                    highest = c->left[k], tied = 0;
                tied += c->left[k] == highest;
            }
        last = tied ? highest : INT64_MAX;
        if (!tied)
            continue;
        i64 moved = move(c, GAIN, missing, tied, highest, -1, 0, present);
        if (!moved)
            return;
        missing -= moved;
    }
}

static void give(Count *c, const i64 *rule, i64 present, i64 missing)
{
    i64 step = present;
    while (missing > 0) {
        i64 highest = INT64_MIN, tied = 0;
        for (i64 k = 0; k < c->groups; k++) {
            if (c->left[k] > highest)
                highest = c->left[k], tied = 0;
            tied += c->left[k] == highest;
        }
        if (highest <= 0 && !c->facts[SHORT]) {
            c->facts[SHORT] = 1;
            if (rule[CYCLIC]) {
                cycle(c, rule, present, missing);
                return;
            }
            if (rule[BY_LOT]) {
                memset(c->left, 0, sizeof(i64) * (size_t)c->groups);
                step = 0;
                continue;
            }
        }
        i64 moved = move(c, GAIN, missing, tied, highest, -1, step, present);
        if (!moved)
            return;
        missing -= moved;
    }
}

static void share_out(Count *c, const i64 *rule, i64 electing, i64 present, const i64 *final, i64 *allotted)
{
    i64 missing = electing;
    for (i64 k = 0; k < c->groups; k++) {
        i64 exact = final[c->who[k]] * electing, whole = exact / present;
        if (!rule[DOWN] && 2 * (exact - whole * present) >= present)
            whole++;
        whole = whole < rule[MINIMUM] ? rule[MINIMUM] : whole;
        c->held[k] = whole;
        c->left[k] = exact - whole * present;
        missing -= whole;
    }
    if (missing < 0)
        take_away(c, rule, electing, present, -missing);
    else if (missing > 0)
        give(c, rule, present, missing);
    for (i64 k = 0; k < c->groups; k++)
        allotted[c->who[k]] = c->held[k];
}

static void realign(Count *c, const i64 *rule, i64 surplus, const i64 *final)
{
    i64 fewest = INT64_MAX, smallest = 0;
    for (i64 k = 0; k < c->groups; k++) {
        i64 people = final[c->who[k]];
        if (people < fewest)
            fewest = people, smallest = 0;
        smallest += people == fewest;
    }
    int by_lot = rule[TIE_BY_LOT] && smallest > surplus;
    for (i64 k = 0; k < c->groups; k++)
        if (final[c->who[k]] == fewest)
            c->marks[c->who[k]] |= by_lot ? TIED : REALIGNS;
    if (by_lot)
        open_tie(c->facts, REALIGN, surplus, fewest, 1);
    else
        c->facts[OUTCOME] = MUST_REALIGN;
}

static void elect_one(const i64 *rule, i64 present, i64 most, i64 groups, const i64 *final, i64 *facts, i64 *allotted,
                      uint8_t *marks)
{
    int majority = 2 * most > present;
    if (rule[CAUCUS_VOTE] || (rule[MAJORITY] && !majority)) {
        facts[OUTCOME] = NO_VIABLE_GROUP;
        facts[WHY] = rule[CAUCUS_VOTE] ? CAUCUS_VOTES : NO_MAJORITY;
        return;
    }
    i64 largest = 0;
    for (i64 k = 0; k < groups; k++)
        largest += final[k] == most;
    for (i64 k = 0; k < groups; k++)
        if (final[k] == most) {
            if (largest > 1)
                marks[k] |= TIED;
            else
                allotted[k] = 1;
        }
    if (largest > 1)
        open_tie(facts, GAIN, 1, most, 1);
    else
        facts[NEEDS_MAJORITY] = !majority;
}

/* Give the number of units awarded: fewer than `units` if one breaks the contract. */
i64 award_units(const i64 *rule, const i64 *table, i64 steps, i64 units, i64 groups, const i64 *delegates,
                 const i64 *attending, const i64 *finals, i64 *all_facts, i64 *all_allotted, uint8_t *all_marks)
{
    Count c;
    if (groups < 0 || groups > MOST_GROUPS)
        return 0;
    for (i64 unit = 0; unit < units; unit++) {
        const i64 *final = finals + unit * groups;
        i64 *facts = all_facts + unit * FACTS, *allotted = all_allotted + unit * groups;
        uint8_t *marks = all_marks + unit * groups;
        i64 electing = delegates[unit], present = attending[unit], numerator = 0, denominator = 0, number = -1;
        for (i64 k = 0; k < steps; k++)
            if (table[3 * k] <= electing)
                numerator = table[3 * k + 1], denominator = table[3 * k + 2];
        if (electing < 1 || electing >= DELEGATES_LIMIT || present < 0 || present >= COUNT_LIMIT)
            return unit;
        if (denominator) {
            i64 product = present * numerator;
            number = product / denominator;
            number += number * denominator < product;
        }
        i64 needed = number > 1 ? number : 1, least = 0, most = 0, viable = 0;
        for (i64 k = 0; k < groups; k++) {
            least = final[k] < least ? final[k] : least;
            most = final[k] > most ? final[k] : most;
            c.who[viable] = k;
            viable += final[k] >= needed;
        }
        if (least < 0 || most >= COUNT_LIMIT || (most && !present) || (most && number < 0 && electing > 1))
            return unit;
        c.groups = viable;
        c.facts = facts;
        c.marks = marks;
        memset(facts, 0, sizeof(i64) * FACTS);
        memset(allotted, 0, sizeof(i64) * (size_t)groups);
        memset(marks, 0, (size_t)groups);
        facts[NUMBER] = number;
        facts[AT_OF] = 1;
        if (!most) {
            facts[OUTCOME] = NO_VIABLE_GROUP;
            facts[WHY] = NOBODY_PRESENT;
        } else if (number < 0) {
            elect_one(rule, present, most, groups, final, facts, allotted, marks);
        } else if (!viable) {
            facts[OUTCOME] = NO_VIABLE_GROUP;
            facts[WHY] = NOBODY_VIABLE;
        } else {
            for (i64 k = 0; k < viable; k++)
                marks[c.who[k]] |= VIABLE;
            if (viable * rule[MINIMUM] <= electing)
                share_out(&c, rule, electing, present, final, allotted);
            else if (rule[SMALLEST_REALIGNS])
                realign(&c, rule, viable - electing / rule[MINIMUM], final);
            else
                for (i64 k = 0; k < viable; k++)
                    allotted[c.who[k]] = rule[MINIMUM];
        }
    }
    return units;
}
