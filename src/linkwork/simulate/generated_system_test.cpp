#include "linkwork/simulate/generated_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "linkwork/codegen/linkages_for_tests.hpp"
#include "linkwork/codegen/shaken_state_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace generated_system_test {

namespace fs = std::filesystem;

class GeneratedSystems : public ::testing::Test {
 protected:
  GeneratedSystems() {
    folder_ = fs::temp_directory_path() /
              ("linkwork_generated_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    compiler_.cache_folder = folder_.string();
  }
  ~GeneratedSystems() override { fs::remove_all(folder_); }

  std::unique_ptr<MechanismSystem> generated(const Mechanism& m, const SystemOptions& options) {
    // Another mechanism behind the code: where it were asked instead, the numbers would be wrong.
    Mechanism other = m;
    other.gravity = {Value(7.0), Value(3.0)};
    auto numeric = makeSystem(other, options);
    return makeGeneratedSystem(m, options, numeric, compiler_, notice_);
  }

  fs::path folder_;
  CompilerChoice compiler_;
  std::string notice_;
};

// Rounding of a few dozen operations.
constexpr double kAgreement = 1e-12;

TEST_F(GeneratedSystems, HaveTheRightHandSideOfTheNumericOnes) {
  for (const char* formulation : {"absolute", "recursive", "linkage", "hamiltonian", "quasivelocity"}) {
    const Mechanism m = test::chainOf(3, test::Lines::general);
    SystemOptions options;
    options.formulation = formulation;
    const auto numeric = makeSystem(m, options);
    const auto compiled = generated(m, options);
    ASSERT_TRUE(compiled) << notice_;
    std::vector<double> x(static_cast<std::size_t>(numeric->space().size()));
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::sin(1.0 + 3.0 * static_cast<double>(k));
    std::vector<double> expected(x.size()), found(x.size());
    const auto work = numeric->makeWorkspace();
    ASSERT_EQ(numeric->derivative(0.5, x, numeric->startModes(), *work, expected), Eval::ok);
    ASSERT_EQ(compiled->derivative(0.5, x, compiled->startModes(), *compiled->makeWorkspace(), found), Eval::ok);
    double largest = 0.0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(found[k], expected[k], kAgreement * largest) << formulation;
  }
}

TEST_F(GeneratedSystems, TakeSplitBodies) {
  const Mechanism m = test::fourBar();
  SystemOptions options;
  options.formulation = "hamiltonian";
  options.opening = "split_bodies";
  const auto numeric = makeSystem(m, options);
  const auto compiled = generated(m, options);
  ASSERT_TRUE(compiled) << notice_;
  std::vector<double> x = numeric->fromAbsolute(0.0, test::shakenState(m, 0.0));
  const auto work = numeric->makeWorkspace();
  ASSERT_EQ(numeric->afterStep(0.0, x, numeric->startModes(), *work).eval, Eval::ok) << numeric->describeFailure(*work);
  for (std::size_t k = 0; k < 3; ++k) x[static_cast<std::size_t>(numeric->space().velocityOffset()) + k] += 0.3;
  std::vector<double> expected(x.size()), found(x.size(), -7.0);
  ASSERT_EQ(numeric->derivative(0.0, x, numeric->startModes(), *work, expected), Eval::ok);
  ASSERT_EQ(compiled->derivative(0.0, x, compiled->startModes(), *compiled->makeWorkspace(), found), Eval::ok);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-11) << k;
}

TEST_F(GeneratedSystems, CountTheWorkOfLoads) {
  const Mechanism m = test::sliderPendulum();
  const SystemOptions options;
  const auto numeric = makeSystem(m, options);
  const auto compiled = generated(m, options);
  ASSERT_TRUE(compiled) << notice_;
  const std::vector<double> x = {0.1, 0.0, 0.0, 0.8, -0.6, 0.7, 0.4, 0.0, 0.0, -0.3, 0.2, 1.1, 0.0};
  std::vector<double> expected(x.size()), found(x.size());
  const auto work = numeric->makeWorkspace();
  ASSERT_EQ(numeric->derivative(0.0, x, numeric->startModes(), *work, expected), Eval::ok);
  ASSERT_EQ(compiled->derivative(0.0, x, compiled->startModes(), *compiled->makeWorkspace(), found), Eval::ok);
  EXPECT_NE(expected.back(), 0.0);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-11);
}

TEST_F(GeneratedSystems, AreRefusedWithAReason) {
  const Mechanism m = test::chainOf(2);
  SystemOptions options;
  options.stabilisation = "baumgarte";
  EXPECT_FALSE(generated(m, options));
  EXPECT_THAT(notice_, ::testing::HasSubstr("baumgarte"));
  options.stabilisation = "projection";
  compiler_.command = "no-such-compiler";
  EXPECT_FALSE(generated(m, options));
  EXPECT_EQ(notice_, "there is no compiler \"no-such-compiler\"");
  options.dependent_rows = {1};
  EXPECT_FALSE(generated(m, options));
  EXPECT_THAT(notice_, ::testing::HasSubstr("depend on others"));
  options.dependent_rows.clear();
  options.formulation = "hamiltonian";
  options.variant = "printed";
  EXPECT_FALSE(generated(m, options));
  EXPECT_THAT(notice_, ::testing::HasSubstr("printed"));
}

}  // namespace generated_system_test
}  // namespace linkwork
