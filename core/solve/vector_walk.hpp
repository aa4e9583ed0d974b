// One walk over a public tree with a number for every hand: depth first, all actions.
//
// A *vector* has a number for each hand of a public outcome, or for each deal of a small game. The
// walk carries reaches down and values up. A derived class is one algorithm; it has the parts
//   at a decision     with_role(node, f): f(Role<..>{}), what the player to act does with reaches
//                     and values
//                     strategy(node, stack): strategy(action)(hand), a probability
//                     finish(node, strategy, reach, values, out): where values are kept
//                     left(index, reach, out): afterwards; default: nothing
//   at an action      descend(node, child, reach, out): where kDeals, deals cards and walks on
//                     weight(role, node, action, strategy, reach, below): where kWeighs, of a drawn
//                     line, 0 = not walked
//                     arrived(node, child, reach, below, value): afterwards; default: nothing
//   at a terminal     pay(index, reach, out)
//   where a subtree has no effect   skips(reach); default: nowhere
// Calls to the parts are static (CRTP), so that the compiler can inline them. The spot engine runs
// the same walk compiled street by street: spots/walk.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "tree/tree.hpp"

namespace riverboat {

inline constexpr int kNone = -1;

// What the probabilities of the player to act do. kReach: the reach that they multiply. kValue: the
// values that they weigh; other values are summed. kKeeps: the values of all actions are kept for
// finish(). kFinishes: finish() computes the values from those kept.
template <int kReachOf = kNone, int kValueOf = kNone, bool kKeepsAll = false,
          bool kFinishesAll = false>
struct Role {
    static constexpr int kReach = kReachOf, kValue = kValueOf;
    static constexpr bool kKeeps = kKeepsAll, kFinishes = kFinishesAll;
};

// The strategy of a decision, by action and hand.
template <typename Number, typename Index>
struct RowsByAction {  // [actions, count], at the places of hands
    const Number* rows;
    std::size_t count;
    const Index* place;
    const Number* row(int action) const { return rows + action * count; }
    auto operator()(int action) const {
        return [row = row(action), at = place](std::size_t hand) { return row[at[hand]]; };
    }
};

template <typename Number>
struct RowsByBucket {  // a table's rows, `entries` apart, of the buckets of hands
    const Number* first;
    std::size_t entries;
    const std::uint32_t* bucket;
    auto operator()(int action) const {
        return [row = first + action, step = entries, at = bucket](std::size_t hand) {
            return row[at[hand] * step];
        };
    }
};

template <typename Number>
struct RowsByHand {  // [actions, hands]
    const Number* rows;
    std::size_t hands;
    auto operator()(int action) const {
        return [row = rows + action * hands](std::size_t hand) { return row[hand]; };
    }
};

// Vectors, handed out and taken back like a stack, so that a walk allocates no memory.
template <typename Real>
class VectorStack {
  public:
    // Returns all vectors that were taken since its construction.
    class Mark {
      public:
        explicit Mark(VectorStack& stack) : stack_(stack), used_(stack.used_) {}
        ~Mark() { stack_.used_ = used_; }
        Mark(const Mark&) = delete;
        Mark& operator=(const Mark&) = delete;

      private:
        VectorStack& stack_;
        std::size_t used_;
    };

    explicit VectorStack(std::size_t numbers) : numbers_(numbers) {}
    Real* take(std::size_t count) {
        Real* const first = numbers_.data() + used_;
        used_ += count;
        return first;
    }

  private:
    std::vector<Real> numbers_;
    std::size_t used_ = 0;
};

template <typename Algorithm, typename Number, int kReaches, int kValues>
class VectorWalk {
  public:
    using Real = Number;
    using Stack = VectorStack<Real>;
    using Reach = std::array<const Real*, kReaches>;
    using Values = std::array<Real*, kValues>;

    std::uint64_t visited() const { return visited_; }  // decisions entered so far, times hands

  protected:
    // size: numbers of a vector. copies: whether strategy() takes rows from the stack, at most one
    // vector an action. more: vectors that the parts take.
    VectorWalk(const Tree& tree, std::size_t size, bool copies, std::size_t more = 0)
        : tree_(tree),
          size_(size),
          copies_(copies),
          stack_(room(0) + size * (kReaches + kValues + more)) {}

    // Walks the tree below a node.
    void walk(std::int32_t index, const Reach& reach, const Values& out) {
        if (tree_.nodes()[index].kind != NodeKind::kDecision) {
            return algorithm().pay(index, reach, out);
        }
        if (algorithm().skips(reach)) return clear(out);
        visited_ += size_;
        const typename Stack::Mark mark(stack_);
        algorithm().with_role(tree_.nodes()[index],
                              [&](auto role) { decide<decltype(role)>(index, reach, out); });
        algorithm().left(index, reach, out);
    }

    const Tree& tree() const { return tree_; }
    std::size_t size() const { return size_; }
    Stack& stack() { return stack_; }

    static constexpr bool skips(const Reach&) { return false; }
    static constexpr bool kDeals = false, kWeighs = false;
    static void arrived(const TreeNode&, std::int32_t, const Reach&, const Reach&, const Values&) {}
    static void left(std::int32_t, const Reach&, const Values&) {}

    std::uint64_t visited_ = 0;

  private:
    Algorithm& algorithm() { return static_cast<Algorithm&>(*this); }

    void clear(const Values& out) const {
        for (Real* vector : out) std::fill_n(vector, size_, Real{});
    }

    // Each role is a function of its own: inlined, they share registers and lose up to 7 %.
    template <typename Role>
    __attribute__((noinline)) void decide(std::int32_t index, const Reach& reach,
                                          const Values& out) {
        const TreeNode& node = tree_.nodes()[index];
        const auto strategy = algorithm().strategy(node, stack_);
        Reach below = reach;
        Real* moved = nullptr;
        if constexpr (Role::kReach != kNone) below[Role::kReach] = moved = stack_.take(size_);
        Values kept, value;
        for (Real*& vector : kept) {
            vector = stack_.take(size_ * (Role::kKeeps ? node.num_actions : 1));
        }
        value = kept;
        if constexpr (!Role::kFinishes) clear(out);
        for (int a = 0; a < node.num_actions; ++a) {
            const auto chosen = strategy(a);
            if constexpr (Role::kReach != kNone) {
                const Real* before = reach[Role::kReach];
                for (std::size_t h = 0; h < size_; ++h) moved[h] = before[h] * chosen(h);
            }
            Real weight = 1;
            if constexpr (Algorithm::kWeighs) {
                weight = algorithm().weight(Role{}, node, a, strategy, reach, below);
                if (weight == 0) continue;
            }
            if constexpr (Algorithm::kDeals) {
                algorithm().descend(node, node.first_child + a, below, value);
            } else {
                walk(node.first_child + a, below, value);
            }
            algorithm().arrived(node, node.first_child + a, reach, below, value);
            if constexpr (!Role::kFinishes) collect<Role>(chosen, weight, value, out);
            if constexpr (Role::kKeeps) {
                for (Real*& vector : value) vector += size_;
            }
        }
        if constexpr (Role::kKeeps) algorithm().finish(node, strategy, reach, kept, out);
    }

    template <typename Role, typename Chosen>
    void collect(const Chosen& chosen, Real weight, const Values& value, const Values& out) const {
        const auto weighed = [weight](Real number) {
            return Algorithm::kWeighs ? number * weight : number;
        };
        for (int v = 0; v < kValues; ++v) {
            const Real* from = value[v];
            Real* to = out[v];
            if (v == Role::kValue) {
                for (std::size_t h = 0; h < size_; ++h) to[h] += weighed(from[h] * chosen(h));
            } else {
                for (std::size_t h = 0; h < size_; ++h) to[h] += weighed(from[h]);
            }
        }
    }

    // The most numbers that a walk from a node takes from the stack.
    std::size_t room(std::int32_t index) const {
        const TreeNode& node = tree_.nodes()[index];
        if (node.kind != NodeKind::kDecision) return 0;
        const std::size_t actions = node.num_actions;
        std::size_t below = 0;
        for (std::size_t a = 0; a < actions; ++a) {
            below = std::max(below, room(node.first_child + static_cast<std::int32_t>(a)));
        }
        return below + size_ * (1 + actions * (kValues + (copies_ ? 1 : 0)));
    }

    const Tree& tree_;
    std::size_t size_;
    bool copies_;
    Stack stack_;
};

}  // namespace riverboat
